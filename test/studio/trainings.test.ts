/** Trainings in the studio, and failures of ours. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import type { RunRecord } from '#listwise/runs/run-record.js';
import type { QueryDocuments, RunView, TrainingRow, TrainingView, View } from '#listwise/studio/answers.js';
import { Trainings } from '#listwise/studio/trainings.js';
import type { Resume } from '#listwise/studio/workspace.js';
import { run } from '../cli/run.js';
import { inStudio, type OpenStudio, openTestStudio } from './open.js';

let open: OpenStudio;
beforeAll(async () => {
  open = await openTestStudio();
}, 60_000);
afterAll(() => open?.studio.close());

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
    const { id } = await start({ data: 'data.txt', model: 'linear', seed: 3, set: ['epochs=3'] });
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
    const found = await open.json<QueryDocuments>(`documents/data.txt/1?model=training/${id}&iteration=3`);
    expect(found.iterations).toEqual([1, 2, 3]);
    const first = await open.json<QueryDocuments>(`documents/data.txt/1?model=training/${id}&iteration=1`);
    expect(first.documents.map(({ score }) => score)).not.toEqual(found.documents.map(({ score }) => score));
    const queries = await open.json<View>(`queries/data.txt?model=training/${id}`);
    expect(queries.command.split('\n')).toHaveLength(2);
  });

  it('is known by its command before it begins, beside those before it', async () => {
    const request = { data: 'data.txt', model: 'linear', seed: 3, set: ['epochs=2'] };
    const plan = async () => (await (await open.post('plan', request)).json()) as View;
    const before = await plan();
    expect(before.command).toBe(`listwise train ${open.file('data.txt')} --model linear --seed 3 --set epochs=2`);
    const { id, name } = await start(request);
    await ended(id);
    const [section] = (await plan()).document.sections;
    expect(JSON.stringify(section)).toContain(`${name}, linear`);
    expect((await open.post('plan', { ...request, set: ['nosuch=1'] })).status).toBe(400);
  });

  it('can be cancelled, one at a time', async () => {
    const { id } = await start({ data: 'data.txt', model: 'net', set: ['epochs=100000', 'patience=0'] });
    expect((await open.post('train', { data: 'data.txt', model: 'net', set: [] })).status).toBe(400);
    expect((await open.post(`cancel/${id}`, {})).status).toBe(200);
    expect((await ended(id)).training.state).toBe('stopped');
  });

  it('is refused where it is asked for wrongly', async () => {
    const status = async (body: unknown) => (await open.post('train', body)).status;
    expect(await status({ data: 'data.txt', model: 'linear', set: ['nosuch=1'] })).toBe(400);
    expect(await status({ data: 'd9', model: 'linear', set: [] })).toBe(404);
    expect(await status({ data: 'data.txt', model: 'nosuch', set: [] })).toBe(400);
    expect(await status({ data: 'data.txt', model: 'linear', set: [], load: ['code.mjs'] })).toBe(400);
    expect(await status([])).toBe(400);
    const refused = await open.post('plan', { data: 'data.txt', model: 'linear', seed: 'abc', set: [] });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('the seed must be a whole number, 0 or above, not \\"abc\\"');
    const { id } = await start({ data: 'data.txt', model: 'linear', objective: 'nosuch', set: [] });
    expect((await ended(id)).training.state).toBe('failed');
  });

  it('can be what a run was', async () => {
    const { again } = await open.json<RunView>('run/runs/a');
    expect(again).toMatchObject({ data: 'data.txt', model: 'trees', set: expect.arrayContaining(['trees=4']) });
    const { id } = await start(again!);
    const { document } = await ended(id);
    const { best } = JSON.parse(readFileSync(open.file('runs/a/results.json'), 'utf8')) as { best: { value: number } };
    expect(document.verdict).toContain(best.value.toFixed(4));
  });

  it('can be what a run was whose data was named from elsewhere', async () => {
    expect((await open.json<RunView>('run/runs/b')).again).toMatchObject({ data: 'data.txt', model: 'linear' });
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
      expect((await there.json<RunView>('run/more/x')).again).toBeUndefined();
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
      expect((await there.json<RunView>('run/trained/y')).again).toMatchObject({ data: 'changed.txt' });
      cpSync(open.file('other.txt'), open.file('changed.txt'));
      expect((await there.json<RunView>('run/trained/y')).again).toBeUndefined();
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
      expect((await there.post('resume/broken/nosuch', {})).status).toBe(404);
      expect(notes).toEqual([]);
      expect((await there.post('resume/broken/a', {})).status).toBe(500);
    });
    expect(notes).toEqual([expect.stringMatching(/^internal failure: TypeError: a slip\n/)]);
  });

  it('is noted where a training meets it', async () => {
    const notes: string[] = [];
    const trainings = new Trainings(text => void notes.push(text));
    const training = trainings.start({ data: 'data.txt', model: 'linear', set: [] }, {} as Dataset, undefined);
    await vi.waitFor(() => expect(training.error).toBeDefined());
    expect(training.state).toBe('failed');
    expect(notes).toEqual([expect.stringMatching(/^internal failure: TypeError/)]);
  });
});
