/** The figures of every view are those of the command below it. */
import { cpSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type {
  Choices,
  DocumentView,
  Neighbours,
  QueryDocuments,
  QueryLambdas,
  RunView,
  TrainingView,
  View,
} from '#listwise/studio/answers.js';
import { run } from '../cli/run.js';
import { inStudio, type OpenStudio, openTestStudio } from './open.js';

let open: OpenStudio;
beforeAll(async () => {
  open = await openTestStudio();
}, 60_000);
afterAll(() => open?.studio.close());

describe('the figures', () => {
  /** The last line of a command, as a shell takes it apart; lines before it make models. */
  const wordsOf = (command: string) =>
    (
      command
        .split('\n')
        .at(-1)!
        .match(/'[^']*'|\S+/g) ?? []
    )
      .slice(1)
      .map(word => word.replace(/^'|'$/g, ''));
  const cli = async <T>(words: readonly string[]): Promise<T> => {
    const { stdout } = await run([...words, '--json', '--quiet', '--threads', '1'], { cwd: open.file('') });
    return JSON.parse(stdout) as T;
  };
  const table = ({ document }: View, title: RegExp) =>
    document.sections
      .flatMap(({ blocks }) => blocks)
      .filter(block => block.kind === 'table')
      .find(block => title.test(block.title))!;

  it('of paired tests are those of the command below them', async () => {
    const shown = await open.json<View>('compare?run=runs/a&run=runs/b&data=data.txt&measure=ap');
    expect(shown.command).toMatch(/^listwise runs .*\nlistwise compare .*--system a=.*--system b=.* -m ap$/);
    const words = wordsOf(shown.command);
    const { pairs } = await cli<{ pairs: { difference: number; significant: boolean }[] }>(words);
    const [row] = table(shown, /^Differences/).rows;
    const cell = row!.find(one => typeof one === 'object') as { value: number };
    expect(cell.value).toBe(pairs[0]!.difference);
    expect(row!.at(-1)).toBe(pairs[0]!.significant ? 'yes' : 'no');
  });

  it('of single features are those of inspect -m', async () => {
    const shown = await open.json<View>('features/data.txt?measure=ap');
    const { alone } = await cli<{
      alone: { feature: string; direction: string; mean: number; ci: number[] }[];
    }>(wordsOf(shown.command));
    const best = alone.reduce((a, b) => (b.mean > a.mean ? b : a));
    const [row] = table(shown, /themselves/).rows;
    expect(row).toEqual([best.feature, `${best.direction} values`, { value: best.mean, interval: best.ci }]);
  });

  it('of drift between data are those of drift --against', async () => {
    const shown = await open.json<View>('drift/data.txt?against=other.txt');
    const { features } = await cli<{
      features: { feature: string; psi: number; p: number }[];
    }>(wordsOf(shown.command));
    expect(features).toHaveLength(4);
    expect(table(shown, /^Drift/).rows.map(row => row.slice(0, 3))).toEqual(
      features.map(({ feature, psi, p }) => [feature, psi, p]),
    );
  });

  it('of runs compared are those of the command below them', async () => {
    const shown = await open.json<View>('compare?run=runs/a&run=runs/b');
    const { differences } = await cli<{ differences: { option: string; values: string[] }[] }>(wordsOf(shown.command));
    expect(differences.map(({ option }) => option)).toContain('model');
    expect(table(shown, /differ/).rows).toEqual(differences.map(({ option, values }) => [option, ...values]));
  });

  it('of drift are those of drift --against where data has categories and no labels', async () => {
    const brands = ['ash', 'birch', 'cedar', 'date'];
    const rows = brands.flatMap(brand => Array.from({ length: 20 }, (_, i) => `${brand}${i},${brand},${i}`));
    const put = (name: string, lines: readonly string[]) => {
      const kinds = { brand: 'category' };
      const description = { schema: 'listwise/data/1', data: `${name}.csv`, roles: { query: 'query' }, kinds };
      writeFileSync(open.file(`${name}.csv`), ['query,brand,price', ...lines, ''].join('\n'));
      writeFileSync(open.file(`${name}.json`), JSON.stringify(description));
      return open.file(`${name}.json`);
    };
    // The same documents: their levels come in another order.
    const data = [put('now', rows.toReversed()), put('before', rows)];
    const shown = await inStudio({ data }, there => there.json<View>('drift/now.json?against=before.json'));
    const { features } = await cli<{
      features: { feature: string; psi: number; p: number }[];
    }>(wordsOf(shown.command));
    expect(features.find(({ feature }) => feature === 'brand')!.psi).toBe(0);
    expect(table(shown, /^Drift/).rows.map(row => row.slice(0, 3))).toEqual(
      features.map(({ feature, psi, p }) => [feature, psi, p]),
    );
  });

  it('are of the data as it is now, where a description names it, and what lies beside it', async () => {
    const rows = (labels: readonly number[]) => labels.map((label, i) => `q,${label},${i}`);
    const put = (name: string, labels: readonly number[]) =>
      writeFileSync(open.file(name), ['query,label,price', ...rows(labels), ''].join('\n'));
    const roles = { query: 'query', labels: { label: 'label' } };
    const described = { schema: 'listwise/data/1', data: 'behind.csv', roles };
    writeFileSync(open.file('behind.json'), JSON.stringify(described));
    put('behind.csv', [1, 0]);
    cpSync(open.file('data.txt'), open.file('weighted.txt'));
    await inStudio({ data: [open.file('behind.json'), open.file('weighted.txt')] }, async there => {
      const verdict = async () => (await there.json<View>('data/behind.json')).document.verdict;
      expect(await verdict()).toContain('2 documents');
      put('behind.csv', [1, 0, 2]);
      expect(await verdict()).toContain('3 documents');
      expect((await there.get('/api/data/weighted.txt')).status).toBe(200);
      writeFileSync(open.file('weighted.txt.weight'), '1\n');
      expect(await (await there.get('/api/data/weighted.txt')).text()).toContain('weights');
    });
  });

  it('are of the data as it is now, not of scores of what the file was', async () => {
    const moving = open.file('moving.txt');
    cpSync(open.file('data.txt'), moving);
    const [before, after] = await inStudio({ folders: [open.file('runs')], data: [moving] }, async there => {
      const first = await there.json<View>('queries/moving.txt?model=run/runs/a');
      cpSync(open.file('other.txt'), moving);
      return [first, await there.json<View>('queries/moving.txt?model=run/runs/a')];
    });
    const figures = (shown: View) => table(shown, /./).rows;
    expect(figures(before!)).toEqual(figures(await open.json<View>('queries/data.txt?model=run/runs/a')));
    expect(figures(after!)).toEqual(figures(await open.json<View>('queries/other.txt?model=run/runs/a')));
    expect(figures(after!)).not.toEqual(figures(before!));
  });

  it('of a document add up to its score', async () => {
    const shown = await open.json<DocumentView>('document/data.txt/1/2?model=run/runs/a&model=run/runs/b');
    expect(shown.title).toBe('The second one');
    expect(shown.others).toHaveLength(7);
    expect(shown.document.sections).toHaveLength(2);
    for (const { blocks } of shown.document.sections) {
      const chart = blocks.find(({ kind }) => kind === 'waterfall');
      if (chart?.kind !== 'waterfall') throw new Error('no waterfall');
      const sum = chart.steps.reduce((total, { adds }) => total + adds, chart.from.value);
      expect(sum).toBeCloseTo(chart.to.value, 6);
    }
    const against = await open.json<DocumentView>('document/data.txt/1/2?model=run/runs/a&against=5');
    expect(against.command).toMatch(/analyse why .* --query 1 --document 2 --document 5$/);
  });

  it('of a document are those of analyse why --document, also of a net, which has no Shapley values', async () => {
    const asked = '--model net --set epochs=2 --quiet --out net.json'.split(' ');
    expect((await run(['train', 'data.txt', ...asked], { cwd: open.file('') })).code).toBe(0);
    const given = { folders: [open.file('runs')], data: [open.file('data.txt')], models: [open.file('net.json')] };
    const shown = await inStudio(given, there =>
      there.json<DocumentView>('document/data.txt/1/2?model=net.json&model=run/runs/a'),
    );
    const { results } = await cli<{ results: { features: { feature: string; adds: number }[] }[] }>(
      wordsOf(shown.command),
    );
    const adds = shown.document.sections.map(({ blocks }) =>
      blocks.flatMap(block => (block.kind === 'table' ? block.rows : [])).map(([feature, , value]) => [feature, value]),
    );
    expect(adds[0]).toHaveLength(4);
    expect(adds).toEqual(results.map(({ features }) => features.map(one => [one.feature, one.adds])));
  });

  it('of a run are those of runs DIR', async () => {
    const shown = await open.json<RunView>('run/runs/a');
    const { runs } = await cli<{ runs: { best: { measure: string; value: number } }[] }>(wordsOf(shown.command));
    expect(runs.map(({ best }) => best)).toEqual([shown.run.best]);
    expect(shown.started).toMatch(/^listwise train .*--dir runs\/a/);
  });

  it('of data are those of inspect: whole numbers as they are written', async () => {
    const lines = ['query,label,user', 'q,1,16777217', 'q,0,16777219', 'q,0,980572185794657840'];
    writeFileSync(open.file('users.csv'), `${lines.join('\n')}\n`);
    const shown = await inStudio({ data: [open.file('users.csv')] }, there => there.get('/api/data/users.csv'));
    expect(await shown.text()).toContain('980572185794657840');
  });

  it('are of models that lack a feature of the data, and say which', async () => {
    expect(
      (
        await run('train data.txt --ignore 4 --set trees=2 --quiet --out three.json'.split(' '), {
          cwd: open.file(''),
        })
      ).code,
    ).toBe(0);
    const given = { folders: [open.file('runs')], data: [open.file('data.txt')], models: [open.file('three.json')] };
    await inStudio(given, async there => {
      const shown = await there.json<View>('queries/data.txt?model=three.json&model=run/runs/a');
      const { results } = await cli<{ results: { query: string; measures: { difference: number }[] }[] }>(
        wordsOf(shown.command),
      );
      const rows = table(shown, /./).rows;
      expect(rows.map(([query]) => query)).toEqual(results.map(({ query }) => query));
      expect(JSON.stringify(shown.document)).toContain('three.json: ignored 1 feature that the model does not know');
      for (const path of ['query/data.txt/1', 'document/data.txt/1/2', 'documents/data.txt/1'])
        expect((await there.get(`/api/${path}?model=three.json`)).status, path).toBe(200);
      expect((await there.get('/api/document/data.txt/1/2?model=three.json&against=5')).status).toBe(200);
    });
  });

  it('of systems whose names have a = in them are those of the command, too', async () => {
    cpSync(open.file('runs/a'), open.file('sweep/rate=0.1'), { recursive: true });
    cpSync(open.file('runs/b'), open.file('sweep/rate=0.2'), { recursive: true });
    const given = { folders: [open.file('sweep')], data: [open.file('data.txt')] };
    const path = 'compare?run=sweep/rate%3D0.1&run=sweep/rate%3D0.2&data=data.txt';
    const shown = await inStudio(given, there => there.json<View>(path));
    const { pairs } = await cli<{ pairs: { a: string; b: string }[] }>(wordsOf(shown.command));
    expect(pairs[0]).toMatchObject({ a: 'rate=0.1', b: 'rate=0.2' });
  });

  it('of a query have titles, and addresses where they are asked for', async () => {
    const link = encodeURIComponent('https://shop.example/{document}?q={query}');
    const asked = `data.txt/1?model=run/runs/a&model=run/runs/b&link=${link}`;
    const shown = await open.json<View>(`query/${asked}`);
    // The list begins with the largest loss.
    const list = await open.json<View>(`queries/${asked.replace('/1?', '?')}`);
    const ids = table(list, /Every query/).rows.map(([id]) => id);
    const at = ids.indexOf('1');
    const beside = await open.json<Neighbours>(`neighbours/${asked}`);
    expect([beside.previous, beside.next]).toEqual([ids[at - 1], ids[at + 1]]);
    expect(await open.json(`neighbours/${asked}&sort=Every+query.up.query`)).toEqual({ next: '2' });
    expect(await open.json(`neighbours/${asked}&sort=Every+query.down.query`)).toEqual({ previous: '2' });
    const { columns, rows } = table(shown, /Ranks/);
    expect(columns.slice(0, 3).map(column => column.title)).toEqual(['document', 'title', 'address']);
    expect(columns[2]!.link).toBe('https://shop.example/{}?q=1');
    expect(rows.find(([id]) => id === '1')![1]).toBe('The <b>first</b> one');
  });

  it('of lambdas sum to zero for pairs, at any scores', async () => {
    const scores = Array.from({ length: 8 }, (_, i) => Math.sin(i));
    const answer = await open.post('lambdas/data.txt/1', { objective: 'ranknet', scores });
    const { lambdas } = (await answer.json()) as QueryLambdas;
    expect(lambdas).toHaveLength(8);
    expect(lambdas.reduce((sum, lambda) => sum + lambda, 0)).toBeCloseTo(0, 9);
    expect(Math.max(...lambdas)).toBeGreaterThan(0);
    expect((await open.post('lambdas/data.txt/1', { objective: 'ranknet', scores: [1] })).status).toBe(400);
    expect((await open.post('lambdas/data.txt/1', { objective: 'nosuch', scores })).status).toBe(400);
    expect((await open.post('lambdas/data.txt/1', null)).status).toBe(400);
  });

  interface Field {
    readonly results: { lambdas: { query: string; documents: { document: string; lambda: number }[] } }[];
  }
  /** What the picture shows, and what the command below it prints, document by document. */
  async function lambdasBothWays(
    query: string,
    body: { readonly objective: string; readonly model?: string },
    move = 0,
  ) {
    const path = `documents/data.txt/${query}?${body.model === undefined ? '' : `model=${body.model}`}`;
    const { documents } = await open.json<QueryDocuments>(path);
    const answer = await open.post(`lambdas/data.txt/${query}`, {
      ...body,
      scores: documents.map((d, i) => d.score + move * i),
    });
    const { lambdas, command } = (await answer.json()) as QueryLambdas;
    const { results } = await cli<Field>(wordsOf(command));
    const printed = new Map(results[0]!.lambdas.documents.map(one => [one.document, one.lambda]));
    expect(results[0]!.lambdas.query).toBe(query);
    expect(lambdas.some(lambda => lambda !== 0)).toBe(true);
    expect(lambdas).toEqual(documents.map(({ document }) => printed.get(document)));
    return command;
  }

  it('of lambdas are those of analyse field --query', async () => {
    const command = await lambdasBothWays('3', { objective: 'ranknet', model: 'run/runs/b' });
    expect(command).toMatch(/ --query 3 --objective ranknet$/);
  });

  it('of lambdas at scores that no model gives are those of analyse field --at', async () => {
    expect(await lambdasBothWays('3', { objective: 'ranknet' }, 0.25)).toMatch(/txt --query 3 .* --at 0,0.25,0.5,/);
    expect(await lambdasBothWays('3', { objective: 'ranknet', model: 'run/runs/b' }, -1.5)).toMatch(/json .* --at /);
  });

  it('of lambdas in the middle of a training are those of analyse field --at', async () => {
    const { id } = (await (
      await open.post('train', { data: 'data.txt', model: 'linear', set: ['epochs=3', 'patience=0'] })
    ).json()) as { id: string };
    await vi.waitFor(
      async () => expect((await open.json<TrainingView>(`training/${id}`)).training.state).toBe('finished'),
      20_000,
    );
    const command = await lambdasBothWays('3', { objective: 'lambdarank(ndcg)', model: `training/${id}` });
    expect(command).toMatch(/^listwise analyse field .*data\.txt --query 3 .* --at /);
  });

  it('are of every objective and trainer there is', async () => {
    const { objectives, trainers } = await open.json<Choices>('choices');
    expect(objectives.map(({ spec }) => spec)).toEqual(expect.arrayContaining(['lambdarank', 'softrank', 'approx']));
    for (const { spec } of objectives) {
      const scores = Array.from({ length: 8 }, (_, i) => i / 8);
      expect((await open.post('lambdas/data.txt/1', { objective: spec, scores })).status, spec).toBe(200);
    }
    expect(trainers.map(({ name }) => name)).toEqual(expect.arrayContaining(['trees', 'linear', 'net']));
    expect(trainers[0]!.options[0]).toMatchObject({ name: 'trees', allowed: expect.any(String) });
  });
});
