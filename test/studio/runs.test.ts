/** What becomes of a run: stars, notes, going on, being deleted. */
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCommand } from '#listwise/cli/start-command.js';
import { Lock } from '#listwise/io/lock.js';
import type { Overview, RunView } from '#listwise/studio/answers.js';
import type { Resume } from '#listwise/studio/workspace.js';
import { run } from '../cli/run.js';
import { inStudio, type OpenStudio, openTestStudio } from './open.js';

let open: OpenStudio;
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
    expect((await open.post('mark/runs/a', { star: true, note: 'the good one' })).status).toBe(200);
    expect((await open.post('mark/runs/nosuch', { star: true, note: '' })).status).toBe(404);
    expect((await open.post('mark/runs/a', { star: 'yes' })).status).toBe(400);
    const { runs } = await open.json<Overview>('overview');
    expect(runs.find(({ id }) => id === 'runs/a')!.mark).toEqual({ star: true, note: 'the good one' });
  });

  it('is nothing to who asks for no runs', async () => {
    const [whole, bare] = [await open.json<Overview>('overview'), await open.json<Overview>('overview?bare')];
    expect(whole.runs.length).toBeGreaterThan(2);
    expect(bare).toEqual({ ...whole, runs: [], models: [] });
  });

  it('is no star where the file of stars is not ours: it is said, and stays as it is', async () => {
    const marks = open.file('runs/.listwise-studio.json');
    const before = existsSync(marks) ? readFileSync(marks, 'utf8') : '{}';
    for (const text of ['{"a": {"star": "yes"}}', '{"a": {"star": true,', '[]']) {
      writeFileSync(marks, text);
      const { problems, runs } = await open.json<Overview>('overview');
      expect(problems).toEqual([expect.stringContaining('.listwise-studio.json is no list of stars and notes')]);
      expect(runs.length).toBeGreaterThan(2);
      const answer = await open.post('mark/runs/a', { star: true, note: '' });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain('no list of stars');
      expect(readFileSync(marks, 'utf8')).toBe(text);
    }
    writeFileSync(marks, '{"b": {"star": false, "note": "", "colour": "red"}}');
    expect((await open.post('mark/runs/b', { star: true, note: 'x' })).status).toBe(200);
    expect(JSON.parse(readFileSync(marks, 'utf8'))).toEqual({ b: { star: true, note: 'x', colour: 'red' } });
    expect((await open.json<Overview>('overview')).problems).toEqual([]);
    writeFileSync(marks, before);
  });

  it('is to go on, where it has stopped and its command can', async () => {
    const put = unfinished('half');
    expect((await open.json<RunView>('run/runs/half')).run.canResume).toBe(true);
    expect((await open.post('resume/runs/half', {})).status).toBe(200);
    expect(resumed).toEqual([open.file('runs/half')]);
    expect((await open.json<RunView>('run/runs/a')).run.canResume).toBe(false);
    expect((await open.post('resume/runs/a', {})).status).toBe(400);
    put('finished');
    expect((await open.post('resume/runs/half', {})).status).toBe(400);
    expect(resumed).toHaveLength(1);
  });

  it('is to go on only where there is something to go on from, in the folder it was begun in', async () => {
    const canResume = async (name: string) => (await open.json<RunView>(`run/runs/${name}`)).run.canResume;
    const path = (name: string) => open.file(`runs/${name}/run.json`);
    unfinished('empty');
    rmSync(open.file('runs/empty/checkpoint'), { recursive: true });
    expect(await canResume('empty')).toBe(false);
    expect(await (await open.post('resume/runs/empty', {})).text()).toContain('no checkpoint');
    for (const [name, change] of Object.entries({
      loaded: { commandLine: ['train', 'data.txt', '--load', 'own.mjs', '--dir', 'runs/loaded'] },
      homeless: { workingDirectory: open.file('nosuch') },
    })) {
      unfinished(name);
      expect(await canResume(name)).toBe(true);
      const record = JSON.parse(readFileSync(path(name), 'utf8')) as object;
      writeFileSync(path(name), JSON.stringify({ ...record, ...change }));
      expect(await canResume(name), name).toBe(false);
      expect((await open.post(`resume/runs/${name}`, {})).status, name).toBe(400);
    }
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
      const answer = await there.post('resume/stuck/z', {});
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
    expect((await open.post('remove/runs/gone', {})).status).toBe(400);
    expect((await open.post('remove/runs/gone', { name: 'a' })).status).toBe(400);
    expect((await open.post('remove/runs/linked', { name: 'linked' })).status).toBe(404);
    expect(existsSync(open.file('runs/gone/model.json'))).toBe(true);
    expect(await (await open.post('remove/runs/gone', { name: 'gone' })).json()).toEqual({ left: ['mine.txt'] });
    expect(existsSync(open.file('runs/gone/run.json'))).toBe(false);
    expect(existsSync(open.file('runs/gone/mine.txt'))).toBe(true);
    unfinished('whole');
    await open.post('remove/runs/whole', { name: 'whole' });
    expect(existsSync(open.file('runs/whole'))).toBe(false);
  });

  it('is to be gone with the folder that was given, and the studio goes on', async () => {
    cpSync(open.file('runs/a'), open.file('alone'), { recursive: true });
    const { runs } = await inStudio({ folders: [open.file('alone'), open.file('runs')] }, async there => {
      expect((await there.post('remove/alone/alone', { name: 'alone' })).status).toBe(200);
      return there.json<Overview>('overview');
    });
    expect(existsSync(open.file('alone'))).toBe(false);
    expect(runs.map(({ id }) => id)).toContain('runs/a');
    expect(runs.map(({ id }) => id)).not.toContain('alone/alone');
  });

  it('is not to be deleted while it goes on', async () => {
    unfinished('busy');
    const lock = await Lock.take(open.file('runs/busy'), 'a test');
    expect((await open.post('remove/runs/busy', { name: 'busy' })).status).toBe(400);
    expect(existsSync(open.file('runs/busy/model.json'))).toBe(true);
    lock.release();
    expect((await open.post('remove/runs/busy', { name: 'busy' })).status).toBe(200);
  });
});
