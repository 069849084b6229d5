import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const folder = temporaryDirectory();
const at = (name: string) => join(folder, name);
const logs = ['engine/logs.json', '--judgments', 'engine/judgments.txt'];

/** Trained on logs in which features are missing. */
async function model(): Promise<string> {
  const settings = ['--set', 'trees=20', '--set', 'leaves=4', '--set', 'min-documents=5', '--threads', '1'];
  const { code } = await run(['train', ...logs, '--model', 'trees', ...settings, '--out', at('trees.json'), '--force']);
  expect(code).toBe(0);
  return at('trees.json');
}

describe('score of a feature log', () => {
  it.each([logs, logs.slice(0, 1)])('says nothing of labels, which it does not need: %s', async (...data) => {
    const { code, stderr } = await run(['score', await model(), ...data, '--out', at('scores.txt')]);
    expect(code, stderr).toBe(0);
    expect(stderr).toContain('are not in the log');
    expect(stderr).not.toContain('judgments');
  });
});

describe('deploy check', () => {
  it('says what an engine that sends missing values right makes of a model', async () => {
    const { code, stdout } = await run([
      'deploy',
      'check',
      await model(),
      ...logs,
      '--engine',
      'opensearch@3.5',
      '--json',
    ]);
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ schema: 'listwise/deploy/1', engine: 'opensearch@3.5', documents: 240 });
    expect(found.format).toBe('xgboost-dump');
    expect(found.otherLeaf).toBe(found.withMissing);
    expect(found.otherRank).toBeGreaterThan(100);
    expect(found.measures).toHaveLength(1);
    expect(found.measures[0].there).toBeLessThan(found.measures[0].here - 0.1);
    expect(found.examples[0].split).toMatchObject({ value: null, left: { here: true, there: false } });
    expect(found.advice.join(' ')).toMatch(/OpenSearch 3\.8 or later/);
  });

  it('finds nothing where the engine follows the nodes', async () => {
    const { stdout } = await run([
      'deploy',
      'check',
      await model(),
      ...logs,
      '--engine',
      'opensearch@3.8',
      '-m',
      'ndcg@5',
    ]);
    expect(stdout).toMatch(/^opensearch@3\.8 \(xgboost-dump\): all 240 documents rank as here\.\n/);
  });

  it('writes a page', async () => {
    const line = ['deploy', 'check', await model(), ...logs, '--engine', 'opensearch@3.2', '--report', at('page.html')];
    expect((await run(line)).code).toBe(0);
    expect(readFileSync(at('page.html'), 'utf8')).toContain('Documents that move furthest');
  });

  it.each([
    ['opensearch', /--engine must be NAME@VERSION, such as opensearch@3\.8, found "opensearch"/],
    ['opensaerch@3', /there is no engine "opensaerch"; did you mean "opensearch"\?/],
    ['solr@5', /nothing is known of solr 5: learning to rank is known there since 6\.4/],
  ])('refuses %s', async (engine, message) => {
    const { code, stderr } = await run(['deploy', 'check', 'trees.json', 'test.txt', '--engine', engine]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('refuses a format that the engine does not take', async () => {
    const line = ['deploy', 'check', 'trees.json', 'test.txt', '--engine', 'opensearch@2.5', '--to', 'xgboost-raw'];
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/takes no trees model as "xgboost-raw"; it takes xgboost-dump, ranklib/),
    ]);
  });
});

describe('a dump of a logistic objective', () => {
  const leaf = (nodeid: number, value: number) => ({ nodeid, leaf: value });
  const split = { nodeid: 0, depth: 0, split: 'x', split_condition: 0.5, yes: 1, no: 2, missing: 1 };
  const dump = { objective: 'binary:logistic', splits: [{ ...split, children: [leaf(1, 18), leaf(2, 19)] }] };
  const files = () => {
    writeFileSync(at('logistic.json'), JSON.stringify(dump));
    writeFileSync(at('two.csv'), 'qid,doc,label,x\nq1,a,0,0\nq1,b,1,1\n');
    return [at('logistic.json'), at('two.csv')];
  };

  it('is checked with the sigmoid of the engine, in which documents tie', async () => {
    const { stdout } = await run(['deploy', 'check', ...files(), '--engine', 'opensearch@3.8']);
    expect(stdout).toMatch(/^opensearch@3\.8 \(xgboost-dump\): 2 of 2 documents change rank/);
    expect(stdout).toMatch(/Scores there are the sigmoid of sums\..*Write the model with --transform none/s);
    const line = ['deploy', 'check', ...files(), '--engine', 'opensearch@3.8', '--transform', 'none', '--json'];
    expect(JSON.parse((await run(line)).stdout)).toMatchObject({ transform: 'none', otherRank: 0 });
  });

  it('is verified with it, and converted as it is', async () => {
    const hits = ['a', 'b'].map(_id => ({ _id, _score: 1 }));
    writeFileSync(at('ones.json'), JSON.stringify({ qid: 'q1', hits: { hits } }));
    const line = ['deploy', 'verify', ...files(), at('ones.json'), '--engine', 'opensearch@3.8', '--json'];
    expect(JSON.parse((await run(line)).stdout)).toMatchObject({ same: 2, other: 0 });
    const convert = ['convert', at('logistic.json'), at('lb.json'), '--engine', 'opensearch@3.8', '--force'];
    expect((await run(convert)).code).toBe(0);
    const objective = () => JSON.parse(readFileSync(at('lb.json'), 'utf8')).model.model.definition;
    expect(JSON.parse(objective())).toMatchObject({ objective: 'binary:logistic', splits: [{ split: 'x' }] });
    expect((await run([...convert, '--transform', 'none'])).code).toBe(0);
    expect(JSON.parse(objective())).toMatchObject([{ split: 'x' }]);
  });
});

describe('deploy verify', () => {
  /** What an engine would return that scores as `engine` does, with an offset. */
  async function answers(trees: string, offset: number): Promise<string> {
    const { stdout } = await run(['score', trees, ...logs, '--ids']);
    const scores = stdout
      .trim()
      .split('\n')
      .map(line => line.split('\t'));
    const hits = (query: string) =>
      scores
        .filter(([id]) => id === query)
        .map(([, document, score]) => ({ _id: document, _score: Math.fround(Number(score) + offset) }));
    const queries = [...new Set(scores.map(([query]) => query!))];
    return queries.map(qid => JSON.stringify({ qid, hits: { hits: hits(qid) } })).join('\n');
  }

  it('finds scores as expected, whatever was added to all of them', async () => {
    const trees = await model();
    writeFileSync(at('answers.json'), await answers(trees, 3));
    const line = ['deploy', 'verify', trees, logs[0]!, at('answers.json'), ...logs.slice(1)];
    const { stdout, code } = await run([...line, '--engine', 'opensearch@3.8', '--json']);
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ schema: 'listwise/deploy/1', documents: 240, unknown: 0, same: 240, other: 0 });
    expect(found.offset).toBeCloseTo(3, 5);
    const wrong = await run([...line, '--engine', 'opensearch@3.5']);
    expect(wrong.stdout).toMatch(
      /^opensearch@3\.5 \(xgboost-dump\) scored \d+ of 240 documents otherwise than expected/,
    );
  });

  it.each([
    ['Solr', { qid: 'q1', response: { docs: [{ id: 'p100', score: 1 }] } }],
    ['Vespa', { qid: 'q1', root: { children: [{ id: 'p100', relevance: 1 }] } }],
    ['Vespa, ids with namespace', { qid: 'q1', root: { children: [{ id: 'id:shop:product::p100', relevance: 1 }] } }],
    [
      'Vespa, ids of groups among the fields',
      {
        qid: 'q1',
        root: {
          children: [{ id: 'index:shop/0/a1', relevance: 1, fields: { documentid: 'id:shop:product:g=a:p100' } }],
        },
      },
    ],
    ['_explain', { qid: 'q1', _id: 'p100', explanation: { value: 1 } }],
    ['an explained search', { qid: 'q1', hits: { hits: [{ _id: 'p100', _score: null, _explanation: { value: 1 } }] } }],
  ])('reads answers of %s, and finds one score that is off', async (_, answer) => {
    const verify = async (text: string) => {
      writeFileSync(at('one.json'), text);
      const line = ['deploy', 'verify', await model(), logs[0]!, at('one.json'), ...logs.slice(1)];
      return JSON.parse((await run([...line, '--engine', 'opensearch@3.8', '--json'])).stdout);
    };
    const text = JSON.stringify(answer);
    const off = await verify(text);
    expect(off).toMatchObject({ documents: 1, same: 0, other: 1, offset: 2, offsetIsKnown: true });
    const { expected } = off.examples[0];
    // With what convert adds, and with nothing added.
    for (const [score, offset] of [
      [expected, 2],
      [expected - 2, 0],
    ])
      expect(await verify(text.replace(/:1(?=[,}])/, `:${score}`))).toMatchObject({ same: 1, other: 0, offset });
  });

  it('believes a constant that scores have in common, and says that no file of convert has it', async () => {
    const trees = await model();
    writeFileSync(at('seven.json'), await answers(trees, 7));
    const line = [
      'deploy',
      'verify',
      trees,
      logs[0]!,
      at('seven.json'),
      ...logs.slice(1),
      '--engine',
      'opensearch@3.8',
    ];
    const { stdout } = await run(line);
    expect(stdout).toMatch(/scored all 240 documents as expected, 7\S* added to each/);
    expect(stdout).toMatch(/No file of convert has that added; where one was written so, name that offset/);
    expect((await run([...line, '--offset', '7'])).stdout).not.toContain('No file of convert');
  });

  it('refuses answers about other documents', async () => {
    writeFileSync(at('one.json'), JSON.stringify({ qid: 'q99', hits: { hits: [{ _id: 'p100', _score: 1 }] } }));
    const line = ['deploy', 'verify', await model(), logs[0]!, at('one.json'), ...logs.slice(1)];
    const { stderr, code } = await run([...line, '--engine', 'opensearch@3.8']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/none of the 1 answered documents is in the data/)]);
  });
});

describe('convert --engine', () => {
  const features = ['--features', 'engine/feature-set.json', '--force'];
  const written = (name: string) => readFileSync(at(name), 'utf8');

  it('writes over nothing beside the model, either, unless --force says so', async () => {
    writeFileSync(at('own.search.json'), '{"mine": true}');
    const line = ['convert', await model(), at('own.json'), '--engine', 'opensearch@3.8'];
    const { code, stderr } = await run([...line, '--features', 'engine/feature-set.json']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/own\.search\.json.*exists already/)]);
    expect([written('own.search.json'), existsSync(at('own.json'))]).toEqual(['{"mine": true}', false]);
    expect((await run([...line, ...features])).code).toBe(0);
  });

  it('writes the body, the features and a search of a plugin, with scores of 0 and above', async () => {
    const line = [
      'convert',
      await model(),
      at('body.json'),
      '--engine',
      'opensearch@3.8',
      '--name',
      'products-1',
      ...features,
    ];
    const { code, stdout, stderr } = await run(line);
    expect([code, stdout]).toEqual([0, expect.stringContaining(at('body.search.json'))]);
    expect(stderr).toContain('POST _ltr/_featureset/products-1/_createmodel');
    const { model: stored } = JSON.parse(written('body.json'));
    expect(stored).toMatchObject({ name: 'products-1', model: { type: 'model/xgboost+json' } });
    expect(JSON.parse(stored.model.definition)[0].leaf).toBeGreaterThan(0);
    expect(JSON.parse(written('body.features.json')).featureset.features[0]).toEqual({
      name: 'title',
      params: ['words'],
      template: { match: { title: '{{words}}' } },
    });
    const { rescore } = JSON.parse(written('body.search.json'));
    expect(rescore.query.rescore_query.sltr).toMatchObject({
      model: 'products-1',
      params: { words: expect.any(String) },
    });
  });

  it.each([
    ['opensearch@3.8', /nothing says how "bm25" is computed: for want of a --features with queries, a match/],
    ['elasticsearch@9.1', /nothing says how "bm25" is computed: for want of a --features with queries, a match/],
    ['solr@9.5', /nothing says how "bm25" is computed: for want of a --features with classes, the value of a field/],
    ['vespa@8.700', /nothing says how "bm25" is computed: an attribute of the feature's name/],
    ['opensearch@9', /opensearch 9 is later than 3\.8, the newest whose rule is known here/],
  ])('%s: says what it made up', async (engine, said) => {
    writeFileSync(
      at('bm25.json'),
      JSON.stringify([
        {
          nodeid: 0,
          split: 'bm25',
          split_condition: 1,
          yes: 1,
          no: 2,
          missing: 1,
          children: [
            { nodeid: 1, leaf: 1 },
            { nodeid: 2, leaf: 2 },
          ],
        },
      ]),
    );
    const { code, stderr } = await run(['convert', at('bm25.json'), at('made.json'), '--engine', engine, '--force']);
    expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([0, expect.stringMatching(said)]);
  });

  it("keeps the features of Solr's own store, and says which would not be missing", async () => {
    const store = ['title', 'body', 'age'].map(name => ({
      name,
      class: 'org.apache.solr.ltr.feature.SolrFeature',
      params: { q: `{!field f=${name}}\${words}` },
    }));
    writeFileSync(at('store.json'), JSON.stringify(store));
    const line = ['convert', await model(), at('kept.json'), '--engine', 'solr@9.5', '--force'];
    const { stderr } = await run([...line, '--features', at('store.json')]);
    expect(JSON.parse(written('kept.features.json'))).toEqual(store);
    expect(stderr).not.toContain('nothing says');
    expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(/only for features with "defaultValue": "NaN"; without: "title"/);
    // Solr's features are no queries.
    const native = ['convert', await model(), at('kept.json'), '--engine', 'elasticsearch@8.19', '--force'];
    expect((await run([...native, '--features', at('store.json')])).stderr).toContain('nothing says');
  });

  it("gives Elasticsearch's own model the queries of the feature set", async () => {
    await run(['convert', await model(), at('native.json'), '--engine', 'elasticsearch@8.19', ...features]);
    const { inference_config } = JSON.parse(written('native.json'));
    expect(inference_config.learning_to_rank.feature_extractors[2].query_extractor).toMatchObject({
      feature_name: 'age',
      query: { function_score: {} },
    });
    expect(JSON.parse(written('native.search.json')).rescore.learning_to_rank.model_id).toBe('native');
  });

  it.each([
    ['solr@9.5', 'solr.json', ['solr.features.json', 'solr.search.json']],
    ['vespa@8.700', 'vespa.json', ['vespa.profile', 'vespa.search.json']],
    ['xgboost@2', 'xgb.json', []],
    ['lightgbm@4', 'lgb.txt', []],
    ['onnxruntime@1', 'model.onnx', []],
    ['catboost@1.2', 'cat.json', []],
  ])('writes what %s takes', async (engine, out, beside) => {
    const { stdout } = await run(['convert', await model(), at(out), '--engine', engine, ...features, '--json']);
    expect(JSON.parse(stdout).files).toEqual([out, ...beside].map(at));
  });

  it("gives Vespa's profile a function a feature, and says of sums what Vespa does", async () => {
    const { stderr } = await run(['convert', await model(), at('v.json'), '--engine', 'vespa@8.700', ...features]);
    expect(written('v.profile')).toContain('    function title() { expression: attribute(title) }\n');
    expect(stderr).not.toContain('rounded to 32 bits');
    await run(['convert', await model(), at('v.onnx'), '--engine', 'vespa@8.700', '--to', 'onnx', ...features]);
    expect(written('v.profile')).toContain(
      'function features() { expression: tensor<float>(d0[1],d1[3]):[[attribute(title), attribute(body), attribute(age)]] }',
    );
  });

  it('gives Vespa no numbers for features whose names are numbers', async () => {
    const line = ['convert', 'linear.json', at('n.onnx'), '--engine', 'vespa@8.700', '--force'];
    expect((await run(line)).code).toBe(0);
    expect(written('n.profile')).toContain('[[attribute(feature_1), attribute(feature_2), attribute(feature_3)]]');
    const trees = await run(['convert', 'trees.json', at('n.json'), '--engine', 'vespa@8.700', '--force']);
    expect([trees.code, trees.stderr]).toEqual([
      2,
      expect.stringMatching(/names of features are expressions there, and "1".* are numbers/),
    ]);
  });

  it('names what goes beside a compressed file as beside a plain one', async () => {
    const line = ['convert', await model(), at('g.json.gz'), '--engine', 'opensearch@3.8', ...features, '--json'];
    const { stdout } = await run(line);
    expect(JSON.parse(stdout).files).toEqual(['g.json.gz', 'g.features.json', 'g.search.json'].map(at));
    expect(JSON.parse(written('g.features.json')).featureset.name).toBe('g');
    expect(JSON.parse(gunzipSync(readFileSync(at('g.json.gz'))).toString()).model.name).toBe('g');
  });

  it('says of linear models that scores can be below 0, and of an intercept what holds it', async () => {
    const line = ['convert', 'linear.json', at('l.json'), '--engine', 'opensearch@3.8', '--force'];
    expect((await run(line)).stderr).toMatch(
      /scores of a linear model have no lower bound, and Lucene allows none below 0/,
    );
    const { stderr, code } = await run([...line, '--offset', '4']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/no intercept.*--to ranklib holds the intercept\. --lossy/),
    ]);
    expect(stderr).not.toContain('--absent zero');
    const taken = await run([...line, '--to', 'ranklib', '--offset', '4']);
    expect([taken.code, taken.stderr]).toEqual([0, expect.stringMatching(/have no lower bound/)]);
  });

  it('refuses a version that goes other ways than the file says, and says what helps', async () => {
    const line = ['convert', await model(), at('lost.json'), '--engine', 'opensearch@3.5', ...features];
    expect((await run(line)).stderr).toMatch(
      /missing values go right there, whatever a split says.*Go to OpenSearch 3\.8 or later.*\[conversion-lossy\]/,
    );
    expect((await run([...line, '--lossy'])).code).toBe(0);
  });
});
