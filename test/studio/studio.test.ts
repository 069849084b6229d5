/** The studio from outside: who may look, at what, and what it answers. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startCommand } from '#listwise/cli/start-command.js';
import type { Dataset } from '#listwise/data/dataset.js';
import { Lock } from '#listwise/io/lock.js';
import type { RunRecord } from '#listwise/runs/run-record.js';
import type {
  Choices,
  DocumentView,
  Overview,
  QueryDocuments,
  QueryLambdas,
  QueryView,
  RunView,
  TrainingRow,
  TrainingView,
  View,
} from '#listwise/studio/answers.js';
import { openStudio, type StudioOptions } from '#listwise/studio/server.js';
import { Trainings } from '#listwise/studio/trainings.js';
import type { Resume } from '#listwise/studio/workspace.js';
import { run } from '../cli/run.js';
import { nasty, nastyFile, type OpenStudio, openTestStudio, visit } from './open.js';

let open: OpenStudio;
/** What one looks at in a studio of its own. */
async function inStudio<T>(given: Partial<StudioOptions>, look: (there: Visit) => Promise<T>): Promise<T> {
  const studio = await openStudio({ folders: [], data: [], models: [], ...given });
  try {
    return await look(await visit(studio));
  } finally {
    await studio.close();
  }
}
type Visit = Awaited<ReturnType<typeof visit>>;
const resumed: string[] = [];

beforeAll(async () => {
  open = await openTestStudio({
    commands: ['train'],
    async start({ directory }) {
      resumed.push(directory);
      return undefined;
    },
  });
}, 60_000);
afterAll(() => open?.studio.close());

/** fetch sets the host itself. */
function statusWith(headers: Record<string, string>): Promise<number | undefined> {
  const { hostname, port } = new URL(open.base);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path: '/', headers }, response => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('who may look', () => {
  it('is whoever has the token, and nobody else', async () => {
    const { base, cookie, get } = open;
    expect((await fetch(base)).status).toBe(401);
    expect((await fetch(`${base}/?token=wrong`)).status).toBe(401);
    expect((await fetch(`${base}/api/overview`)).status).toBe(401);
    expect((await fetch(`${base}/api/train`, { method: 'POST', body: '{}' })).status).toBe(401);
    expect((await get('/')).status).toBe(200);
    expect(cookie).toMatch(/^listwise=.{32}$/);
  });

  it('is no page from elsewhere, whatever it knows', async () => {
    const { base, cookie } = open;
    const { host } = new URL(base);
    expect(await statusWith({ host, cookie })).toBe(200);
    expect(await statusWith({ host: 'evil.example', cookie })).toBe(403);
    expect(await statusWith({ host, cookie, origin: 'http://evil.example' })).toBe(403);
    expect(await statusWith({ host, cookie, origin: base })).toBe(200);
  });

  it('is on this machine', () => expect(new URL(open.base).hostname).toBe('127.0.0.1'));

  it('runs no script but ours', async () => {
    const policy = (await open.get('/')).headers.get('content-security-policy')!;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const page = await (await open.get('/')).text();
    expect(page).not.toMatch(/<script(?! src)|\son\w+=|javascript:/);
  });

  it('has a page of less than 500 kB, with all that it loads', async () => {
    let bytes = 0;
    for (const path of ['/', '/viewer.js', '/viewer.css', '/app.js', '/app.css'])
      bytes += (await (await open.get(path)).arrayBuffer()).byteLength;
    expect(bytes).toBeLessThan(500_000);
  });

  it('says no more than so much at a time', async () => {
    expect((await open.post('train', 'x'.repeat(2 << 20))).status).toBe(413);
  });
});

describe('what can be looked at', () => {
  it('is the runs right below the folders, no links out of them', async () => {
    const { runs } = await open.json<Overview>('overview');
    expect(runs.map(({ id }) => id).sort()).toEqual([`0/${nasty}`, '0/a', '0/b', '0/leak']);
  });

  it('is a run by the name of its folder, however that was written', async () => {
    const folders = [`${open.file('runs/a')}/.`, `${open.file('runs/b')}/inner/..`];
    mkdirSync(open.file('runs/b/inner'), { recursive: true });
    await inStudio({ folders }, async there => {
      const { runs } = await there.json<Overview>('overview');
      expect(runs.map(({ id }) => id).sort()).toEqual(['0/a', '1/b']);
      for (const { id } of runs) expect((await there.get(`/api/run/${id}`)).status).toBe(200);
    });
  });

  it.each([
    'run/0/..%2Fsecret%2Fc',
    'run/0/../secret/c',
    'run/0/linked',
    'run/1/a',
    'data/..%2Fdata.txt',
    'data/d7',
    'drift/d0?against=..%2Fother.txt',
    'query/d0/nosuch?model=run/0/a&model=run/0/b',
    'document/d0/1/nosuch?model=run/0/a',
    'queries/d0?model=%2Fetc%2Fpasswd',
    'queries/d0?model=run/0/leak',
    'training/t7',
    'nothing',
    'constructor',
    '__proto__/x',
    '%E0%A4%A',
  ])('is not %s', async path => {
    const response = await open.get(`/api/${path}`);
    expect([400, 404]).toContain(response.status);
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: expect.any(String) } });
    expect(text).not.toContain(open.file(''));
  });

  it('is a report, in a sandbox, and none that a link leads to', async () => {
    const report = await open.get('/report/0/a');
    expect(report.headers.get('content-security-policy')).toBe('sandbox allow-scripts allow-downloads');
    expect(await report.text()).toBe(readFileSync(open.file('runs/a/report.html'), 'utf8'));
    const leak = await open.get('/report/0/leak');
    expect(leak.status).toBe(404);
    expect(await leak.text()).not.toContain('secret');
  });

  it('has commands that a shell takes as they are, whatever files are called', async () => {
    const { command } = await open.json<View>('data/d2');
    expect(command).toBe(`listwise inspect '${open.file(nastyFile)}'`);
    const { command: compare } = await open.json<View>(`compare?data=d0&run=0/a&run=0/${encodeURIComponent(nasty)}`);
    expect(compare).toContain(`'${nasty}=${open.file(`runs/${nasty}/model.json`)}'`);
  });

  it('opens again, titles and addresses of documents with it, by the command that it names', async () => {
    const [titles, link] = [open.file('titles.tsv'), 'https://shop.example/{document}'];
    const { command } = await inStudio({ titles, link }, there => there.json<Overview>('overview'));
    expect(command).toBe(`listwise studio --titles ${titles} --link '${link}'`);
    expect((await open.json<View>('compare?run=0/a&run=0/b')).command).toBe('');
  });

  it('needs addresses of documents that are on the web', async () => {
    const link = 'javascript:alert(1)';
    await expect(openStudio({ folders: [], data: [], models: [], link })).rejects.toThrow(/begins with http/);
    const asked = `query/d0/1?model=run/0/a&link=${encodeURIComponent(link)}`;
    expect(JSON.stringify(await open.json(asked))).not.toContain('"link":"javascript');
  });
});

describe('what becomes of a run', () => {
  const unfinished = (name: string) => {
    cpSync(open.file('runs/a'), open.file(`runs/${name}`), { recursive: true });
    const record = JSON.parse(readFileSync(open.file(`runs/${name}/run.json`), 'utf8')) as object;
    const put = (status: string) =>
      writeFileSync(open.file(`runs/${name}/run.json`), JSON.stringify({ ...record, status }));
    put('stopped');
    return put;
  };

  it('is a star and a note', async () => {
    expect((await open.post('mark/0/a', { star: true, note: 'the good one' })).status).toBe(200);
    expect((await open.post('mark/0/nosuch', { star: true, note: '' })).status).toBe(404);
    expect((await open.post('mark/0/a', { star: 'yes' })).status).toBe(400);
    const { runs } = await open.json<Overview>('overview');
    expect(runs.find(({ id }) => id === '0/a')!.mark).toEqual({ star: true, note: 'the good one' });
  });

  it('is to go on, where it has stopped and its command can', async () => {
    const put = unfinished('half');
    expect((await open.json<RunView>('run/0/half')).run.canResume).toBe(true);
    expect((await open.post('resume/0/half', {})).status).toBe(200);
    expect(resumed).toEqual([open.file('runs/half')]);
    expect((await open.json<RunView>('run/0/a')).run.canResume).toBe(false);
    expect((await open.post('resume/0/a', {})).status).toBe(400);
    put('finished');
    expect((await open.post('resume/0/half', {})).status).toBe(400);
    expect(resumed).toHaveLength(1);
  });

  it('is told where it cannot go on', async () => {
    cpSync(open.file('data.txt'), open.file('lost.txt'));
    const train = ['train', 'lost.txt', '--dir', 'stuck/z', '--model', 'linear', '--set', 'epochs=2', '--quiet'];
    expect((await run(train, { cwd: open.file('') })).code).toBe(0);
    const record = JSON.parse(readFileSync(open.file('stuck/z/run.json'), 'utf8')) as object;
    writeFileSync(open.file('stuck/z/run.json'), JSON.stringify({ ...record, status: 'stopped' }));
    rmSync(open.file('lost.txt'));
    const resume: Resume = {
      commands: ['train'],
      start: ({ directory }) => startCommand(['train', '--dir', directory, '--resume'], open.file('')).failure(60_000),
    };
    await inStudio({ folders: [open.file('stuck')], resume }, async there => {
      const answer = await there.post('resume/0/z', {});
      expect(answer.status).toBe(400);
      const { error } = (await answer.json()) as { error: { code: string; message: string } };
      expect(error.code).toBe('request-invalid');
      expect(error.message).toMatch(/^the run did not go on: .*lost\.txt.*\[file-not-found\]$/);
    });
    const nowhere = startCommand(['train', '--dir', 'stuck/z', '--resume'], open.file('nosuch'));
    expect(await nowhere.failure(60_000)).toMatch(/ENOENT/);
  });

  it('is to be deleted by its name, what others put there excepted', async () => {
    unfinished('gone');
    writeFileSync(open.file('runs/gone/mine.txt'), 'mine');
    expect((await open.post('remove/0/gone', {})).status).toBe(400);
    expect((await open.post('remove/0/gone', { name: 'a' })).status).toBe(400);
    expect((await open.post('remove/0/linked', { name: 'linked' })).status).toBe(404);
    expect(existsSync(open.file('runs/gone/model.json'))).toBe(true);
    expect(await (await open.post('remove/0/gone', { name: 'gone' })).json()).toEqual({ left: ['mine.txt'] });
    expect(existsSync(open.file('runs/gone/run.json'))).toBe(false);
    expect(existsSync(open.file('runs/gone/mine.txt'))).toBe(true);
    unfinished('whole');
    await open.post('remove/0/whole', { name: 'whole' });
    expect(existsSync(open.file('runs/whole'))).toBe(false);
  });

  it('is to be gone with the folder that was given, and the studio goes on', async () => {
    cpSync(open.file('runs/a'), open.file('alone'), { recursive: true });
    const { runs } = await inStudio({ folders: [open.file('alone'), open.file('runs')] }, async there => {
      expect((await there.post('remove/0/alone', { name: 'alone' })).status).toBe(200);
      return there.json<Overview>('overview');
    });
    expect(existsSync(open.file('alone'))).toBe(false);
    expect(runs.map(({ id }) => id)).toContain('1/a');
    expect(runs.map(({ id }) => id)).not.toContain('0/alone');
  });

  it('is not to be deleted while it goes on', async () => {
    unfinished('busy');
    const lock = await Lock.take(open.file('runs/busy'), 'a test');
    expect((await open.post('remove/0/busy', { name: 'busy' })).status).toBe(400);
    expect(existsSync(open.file('runs/busy/model.json'))).toBe(true);
    lock.release();
    expect((await open.post('remove/0/busy', { name: 'busy' })).status).toBe(200);
  });
});

describe('the figures', () => {
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
    const shown = await open.json<View>('compare?run=0/a&run=0/b&data=d0&measure=ap');
    expect(shown.command).toMatch(/^listwise compare .*--system a=.*--system b=.* -m ap$/);
    const words = shown.command.split(' ').slice(1);
    const { pairs } = await cli<{ pairs: { difference: number; significant: boolean }[] }>(words);
    const [row] = table(shown, /^Differences/).rows;
    const cell = row!.find(one => typeof one === 'object') as { value: number };
    expect(cell.value).toBe(pairs[0]!.difference);
    expect(row!.at(-1)).toBe(pairs[0]!.significant ? 'yes' : 'no');
  });

  it('of single features are those of inspect -m', async () => {
    const shown = await open.json<View>('features/d0?measure=ap');
    const { alone } = await cli<{
      alone: { feature: string; direction: string; mean: number; ci: number[] }[];
    }>(shown.command.split(' ').slice(1));
    const best = alone.reduce((a, b) => (b.mean > a.mean ? b : a));
    const [row] = table(shown, /themselves/).rows;
    expect(row).toEqual([best.feature, `${best.direction} values`, { value: best.mean, interval: best.ci }]);
  });

  it('of drift between data are those of drift --against', async () => {
    const shown = await open.json<View>('drift/d0?against=d1');
    const { features } = await cli<{
      features: { feature: string; psi: number; p: number }[];
    }>(shown.command.split(' ').slice(1));
    expect(table(shown, /^Drift/).rows.map(row => row.slice(0, 3))).toEqual(
      features.map(({ feature, psi, p }) => [feature, psi, p]),
    );
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
    const shown = await inStudio({ data }, there => there.json<View>('drift/d0?against=d1'));
    const { features } = await cli<{
      features: { feature: string; psi: number; p: number }[];
    }>(shown.command.split(' ').slice(1));
    expect(features.find(({ feature }) => feature === 'brand')!.psi).toBe(0);
    expect(table(shown, /^Drift/).rows.map(row => row.slice(0, 3))).toEqual(
      features.map(({ feature, psi, p }) => [feature, psi, p]),
    );
  });

  it('are of the data as it is now, not of scores of what the file was', async () => {
    const moving = open.file('moving.txt');
    cpSync(open.file('data.txt'), moving);
    const [before, after] = await inStudio({ folders: [open.file('runs')], data: [moving] }, async there => {
      const first = await there.json<View>('queries/d0?model=run/0/a');
      cpSync(open.file('other.txt'), moving);
      return [first, await there.json<View>('queries/d0?model=run/0/a')];
    });
    const figures = (shown: View) => table(shown, /./).rows;
    expect(figures(before!)).toEqual(figures(await open.json<View>('queries/d0?model=run/0/a')));
    expect(figures(after!)).toEqual(figures(await open.json<View>('queries/d1?model=run/0/a')));
    expect(figures(after!)).not.toEqual(figures(before!));
  });

  it('of a document add up to its score', async () => {
    const shown = await open.json<DocumentView>('document/d0/1/2?model=run/0/a&model=run/0/b');
    expect(shown.title).toBe('The second one');
    expect(shown.others).toHaveLength(7);
    for (const { blocks } of shown.document.sections) {
      const chart = blocks.find(({ kind }) => kind === 'waterfall');
      if (chart?.kind !== 'waterfall') throw new Error('no waterfall');
      const sum = chart.steps.reduce((total, { adds }) => total + adds, chart.from.value);
      expect(sum).toBeCloseTo(chart.to.value, 6);
    }
    const against = await open.json<DocumentView>('document/d0/1/2?model=run/0/a&against=5');
    expect(against.command).toMatch(/analyse why .* --query 1 --document 2 --document 5$/);
  });

  it('of a query have titles, and addresses where they are asked for', async () => {
    const link = encodeURIComponent('https://shop.example/{document}?q={query}');
    const shown = await open.json<QueryView>(`query/d0/1?model=run/0/a&model=run/0/b&link=${link}`);
    expect([shown.previous, shown.next]).toEqual([undefined, '2']);
    const { columns, rows } = table(shown, /Ranks/);
    expect(columns.slice(0, 3).map(column => column.title)).toEqual(['document', 'title', 'address']);
    expect(columns[2]!.link).toBe('https://shop.example/{}?q=1');
    expect(rows.find(([id]) => id === '1')![1]).toBe('The <b>first</b> one');
  });

  it('of lambdas sum to zero for pairs, at any scores', async () => {
    const scores = Array.from({ length: 8 }, (_, i) => Math.sin(i));
    const answer = await open.post('lambdas/d0/1', { objective: 'ranknet', scores });
    const { lambdas } = (await answer.json()) as QueryLambdas;
    expect(lambdas).toHaveLength(8);
    expect(lambdas.reduce((sum, lambda) => sum + lambda, 0)).toBeCloseTo(0, 9);
    expect(Math.max(...lambdas)).toBeGreaterThan(0);
    expect((await open.post('lambdas/d0/1', { objective: 'ranknet', scores: [1] })).status).toBe(400);
    expect((await open.post('lambdas/d0/1', { objective: 'nosuch', scores })).status).toBe(400);
    expect((await open.post('lambdas/d0/1', null)).status).toBe(400);
  });

  it('of lambdas are those of analyse field --query', async () => {
    const found = await open.json<QueryDocuments>('documents/d0/3?model=run/0/b&objective=ranknet');
    const scores = found.documents.map(({ score }) => score);
    const answer = (await (await open.post('lambdas/d0/3', { objective: 'ranknet', scores })).json()) as QueryLambdas;
    const { results } = await cli<{
      results: { lambdas: { query: string; documents: { document: string; lambda: number }[] } }[];
    }>(found.command.split(' ').slice(1));
    const { query, documents } = results[0]!.lambdas;
    expect(query).toBe('3');
    for (const [i, { document }] of found.documents.entries()) {
      const there = documents.find(one => one.document === document)!;
      expect(there.lambda).toBeCloseTo(answer.lambdas[i]!, 6);
    }
  });

  it('are of every objective and trainer there is', async () => {
    const { objectives, trainers } = await open.json<Choices>('choices');
    expect(objectives.map(({ spec }) => spec)).toEqual(expect.arrayContaining(['lambdarank', 'softrank', 'approx']));
    for (const { spec } of objectives) {
      const scores = Array.from({ length: 8 }, (_, i) => i / 8);
      expect((await open.post('lambdas/d0/1', { objective: spec, scores })).status, spec).toBe(200);
    }
    expect(trainers.map(({ name }) => name)).toEqual(expect.arrayContaining(['trees', 'linear', 'net']));
    expect(trainers[0]!.options[0]).toMatchObject({ name: 'trees', allowed: expect.any(String) });
  });
});

describe('a training in the studio', () => {
  const start = async (body: object) => (await (await open.post('train', body)).json()) as TrainingRow;
  async function ended(id: string): Promise<TrainingView> {
    for (;;) {
      const shown = await open.json<TrainingView>(`training/${id}`);
      if (shown.training.state !== 'running') return shown;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }

  it('makes the model that the command line makes', async () => {
    const { id } = await start({ data: 'd0', model: 'linear', seed: 3, set: ['epochs=3'] });
    const { training, command, document } = await ended(id);
    expect(training.state).toBe('finished');
    expect(command).toMatch(/^listwise train .* --model linear --seed 3 --set epochs=3$/);
    const { stdout } = await run([
      ...command.split(' ').slice(1),
      '--out',
      open.file('same.json'),
      '--json',
      '--quiet',
    ]);
    const { best } = JSON.parse(stdout) as { best: { value: number; iteration: number } };
    expect(document.verdict).toContain(`${best.value.toFixed(4)} on 4 holdout queries, at iteration ${best.iteration}`);
    const found = await open.json<QueryDocuments>(`documents/d0/1?model=training/${id}&iteration=3`);
    expect(found.iterations).toEqual([1, 2, 3]);
    const first = await open.json<QueryDocuments>(`documents/d0/1?model=training/${id}&iteration=1`);
    expect(first.documents.map(({ score }) => score)).not.toEqual(found.documents.map(({ score }) => score));
    const queries = await open.json<View>(`queries/d0?model=training/${id}`);
    expect(queries.command.split('\n')).toHaveLength(2);
  });

  it('can be cancelled, one at a time', async () => {
    const { id } = await start({ data: 'd0', model: 'net', set: ['epochs=100000', 'patience=0'] });
    expect((await open.post('train', { data: 'd0', model: 'net', set: [] })).status).toBe(400);
    expect((await open.post(`cancel/${id}`, {})).status).toBe(200);
    expect((await ended(id)).training.state).toBe('stopped');
  });

  it('is refused where it is asked for wrongly', async () => {
    const status = async (body: unknown) => (await open.post('train', body)).status;
    expect(await status({ data: 'd0', model: 'linear', set: ['nosuch=1'] })).toBe(400);
    expect(await status({ data: 'd9', model: 'linear', set: [] })).toBe(404);
    expect(await status({ data: 'd0', model: 'nosuch', set: [] })).toBe(400);
    expect(await status({ data: 'd0', model: 'linear', set: [], load: ['code.mjs'] })).toBe(400);
    expect(await status([])).toBe(400);
    const { id } = await start({ data: 'd0', model: 'linear', objective: 'nosuch', set: [] });
    expect((await ended(id)).training.state).toBe('failed');
  });

  it('can be what a run was', async () => {
    const { again } = await open.json<RunView>('run/0/a');
    expect(again).toMatchObject({ data: 'd0', model: 'trees', set: expect.arrayContaining(['trees=4']) });
    const { id } = await start(again!);
    const { document } = await ended(id);
    const { best } = JSON.parse(readFileSync(open.file('runs/a/results.json'), 'utf8')) as { best: { value: number } };
    expect(document.verdict).toContain(best.value.toFixed(4));
  });

  it('can be what a run was whose data was named from elsewhere', async () => {
    expect((await open.json<RunView>('run/0/b')).again).toMatchObject({ data: 'd0', model: 'linear' });
  });

  it.each([
    ['went on from a model', { from: 'model.json' }],
    ['was trained again on all queries', { refit: true }],
    ['had modules', { load: ['own.mjs'] }],
    ['had another holdout', { holdout: 0.5 }],
  ])('is not what a run was that %s', async (_, option) => {
    cpSync(open.file('runs/a'), open.file('more/x'), { recursive: true });
    const record = JSON.parse(readFileSync(open.file('runs/a/run.json'), 'utf8')) as RunRecord;
    const changed = { ...record, options: { ...record.options, ...option } };
    writeFileSync(open.file('more/x/run.json'), JSON.stringify(changed));
    await inStudio({ folders: [open.file('more')], data: [open.file('data.txt')] }, async there => {
      expect((await there.json<RunView>('run/0/x')).again).toBeUndefined();
    });
  });

  it('is not what a run was whose data has changed', async () => {
    cpSync(open.file('data.txt'), open.file('changed.txt'));
    const { code } = await run(
      ['train', 'changed.txt', '--dir', 'trained/y', '--model', 'linear', '--set', 'epochs=2', '--quiet'],
      { cwd: open.file('') },
    );
    expect(code).toBe(0);
    const given = { folders: [open.file('trained')], data: [open.file('changed.txt')] };
    await inStudio(given, async there => {
      expect((await there.json<RunView>('run/0/y')).again).toMatchObject({ data: 'd0' });
      cpSync(open.file('other.txt'), open.file('changed.txt'));
      expect((await there.json<RunView>('run/0/y')).again).toBeUndefined();
    });
  });
});

describe('a failure of ours', () => {
  it('is noted where a request meets it', async () => {
    const notes: string[] = [];
    cpSync(open.file('runs/a'), open.file('broken/a'), { recursive: true });
    const record = JSON.parse(readFileSync(open.file('broken/a/run.json'), 'utf8')) as object;
    writeFileSync(open.file('broken/a/run.json'), JSON.stringify({ ...record, status: 'stopped' }));
    const resume: Resume = { commands: ['train'], start: () => Promise.reject(new TypeError('a slip')) };
    const given = { folders: [open.file('broken')], resume, note: (text: string) => void notes.push(text) };
    await inStudio(given, async there => {
      expect((await there.post('resume/0/nosuch', {})).status).toBe(404);
      expect(notes).toEqual([]);
      expect((await there.post('resume/0/a', {})).status).toBe(500);
    });
    expect(notes).toEqual([expect.stringMatching(/^internal failure: TypeError: a slip\n/)]);
  });

  it('is noted where a training meets it', async () => {
    const notes: string[] = [];
    const trainings = new Trainings(text => void notes.push(text));
    const training = trainings.start({ data: 'd0', model: 'linear', set: [] }, {} as Dataset, undefined);
    await vi.waitFor(() => expect(training.error).toBeDefined());
    expect(training.state).toBe('failed');
    expect(notes).toEqual([expect.stringMatching(/^internal failure: TypeError/)]);
  });
});
