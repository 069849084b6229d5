/** Folds and trials shared out among ranks: what one process finds. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { serialize } from 'node:v8';
import { beforeAll, describe, expect, it } from 'vitest';
import { spread, spreadInTurn } from '#listwise/ranks/spread.js';
import { alone, type Transport } from '#listwise/ranks/transport.js';
import { temporaryDirectory } from '../temporary.js';
import { childrenOf, listwise, root, start, unlessThere, withoutOpenMpi } from './mpirun.js';

describe('jobs', () => {
  const mistake = { code: 'training-diverged', detail: 'ran off', place: {} };
  /** Rank 0 of two, of which the other comes to this. */
  const beside = (other: unknown): Transport => ({
    ...alone,
    size: 2,
    gather: part => [part, new Uint8Array(serialize(other))],
  });

  it('are dealt in turn, and every rank has all outcomes by job', async () => {
    const done: number[] = [];
    const outcomes = await spread(beside([{ value: 20 }, { error: mistake }]), [1, 2, 3, 4], async job => {
      done.push(job);
      return 10 * job;
    });
    expect(done).toEqual([1, 3]);
    expect(outcomes.slice(0, 3)).toEqual([10, 20, 30]);
    expect(outcomes[3]).toMatchObject({ code: 'training-diverged', message: 'ran off' });
  });

  it('in turn end where another rank stopped early, by its mistake', async () => {
    const found = spreadInTurn(beside([{ error: mistake }]), [1, 2, 3, 4], async job => job);
    await expect(found).rejects.toMatchObject({ code: 'training-diverged' });
  });

  it('that fail by a fault of ours fail as they are', async () => {
    const found = spread(beside([]), [1], () => Promise.reject(new TypeError('a fault')));
    await expect(found).rejects.toThrow(TypeError);
  });
});

describe.skipIf(withoutOpenMpi !== undefined)(`trainings shared out among ranks${unlessThere(withoutOpenMpi)}`, () => {
  const cwd = temporaryDirectory();
  const few = ['--threads', '1', '--seed', '3', '--set', 'epochs=4'];

  beforeAll(async () => {
    await listwise(0, ['generate', 'cubic', '--queries', '60', '--docs', '8', '--out', 'data.txt'], { cwd });
  });

  /** Everything but the time it took. */
  const facts = (text: string) =>
    JSON.parse(text, (key, value) => (key === 'seconds' || key === 'model' ? undefined : value));

  it('give cv the folds of one process', async () => {
    const words = ['cv', 'data.txt', '--model', 'linear', '--folds', '5', '--json', '--scores', 'scores.txt', ...few];
    const one = await listwise(0, words, { cwd });
    const scores = readFileSync(join(cwd, 'scores.txt'), 'utf8');
    const three = await listwise(3, [...words, '--spread', 'folds'], { cwd });
    expect(three.code).toBe(0);
    expect(facts(three.stdout)).toEqual(facts(one.stdout));
    expect(readFileSync(join(cwd, 'scores.txt'), 'utf8')).toBe(scores);
  }, 240_000);

  it('give tune the trials of one process, and it goes on with another number of ranks', async () => {
    const words = ['--model', 'linear', '--folds', '2', '--batch', '2', '--json', ...few];
    const at = (name: string, trials: number) => ['tune', 'data.txt', '--dir', name, '--trials', String(trials)];
    const one = await listwise(0, [...at('one', 5), ...words], { cwd });
    const some = await listwise(2, [...at('ranks', 5), ...words, '--spread', 'folds'], { cwd });
    expect(some.stderr).not.toMatch(/listwise:/);
    expect(facts(some.stdout)).toEqual(facts(one.stdout));
    // As after a kill: the later half of what was finished is not there.
    const journal = join(cwd, 'ranks/checkpoint/folds.jsonl');
    const lines = readFileSync(journal, 'utf8').split('\n');
    writeFileSync(journal, `${lines.slice(0, Math.ceil(lines.length / 2)).join('\n')}\n`);
    const again = await listwise(3, ['tune', '--dir', 'ranks', '--resume', '--json', '--spread', 'folds'], { cwd });
    expect(facts(again.stdout)).toEqual(facts(one.stdout));
    const model = (name: string) => readFileSync(join(cwd, name, 'model.json'), 'utf8');
    expect(model('ranks')).toBe(model('one'));
  }, 240_000);

  it('give advise the cells of one process', async () => {
    const words = ['analyse', 'advise', 'data.txt', '--test-measure', 'ndcg@5', '--candidates', 'ap', '--seeds', '2'];
    const training = ['--model', 'linear', '--json', ...few];
    const one = await listwise(0, [...words, ...training], { cwd });
    const three = await listwise(3, [...words, ...training, '--spread', 'folds'], { cwd });
    expect(three.code).toBe(0);
    expect(facts(three.stdout)).toEqual(facts(one.stdout));
  }, 240_000);

  it('give reproduce the steps of one process, and it goes on with another number of ranks', async () => {
    const words = ['reproduce', 'burges-2006-figure-2', '--scale', 'tiny', '--threads', '1', '--json'];
    const one = await listwise(0, words, { cwd });
    const some = await listwise(2, [...words, '--dir', 'papers', '--spread', 'folds'], { cwd });
    expect(some.code).toBe(0);
    expect(some.stdout).toBe(one.stdout);
    const steps = join(cwd, 'papers/checkpoint/steps.jsonl');
    const lines = readFileSync(steps, 'utf8').trim().split('\n');
    writeFileSync(steps, `${lines.slice(0, Math.ceil(lines.length / 2)).join('\n')}\n`);
    const again = await listwise(3, ['reproduce', '--dir', 'papers', '--resume', '--json', '--spread', 'folds'], {
      cwd,
    });
    expect(again.stdout).toBe(one.stdout);
    const kept = readFileSync(steps, 'utf8').trim().split('\n');
    expect(kept.length).toBe(lines.length);
    expect(kept.slice(0, Math.ceil(lines.length / 2))).toEqual(lines.slice(0, Math.ceil(lines.length / 2)));
  }, 240_000);

  it('end on all ranks where one fails', async () => {
    const words = ['cv', 'data.txt', '--model', 'linear', '--spread', 'folds', '--set', 'rate=1e300', ...few];
    const { stderr, code } = await listwise(2, words, { cwd });
    expect(stderr).toContain('[training-diverged]');
    expect(code).toBe(2);
  }, 240_000);

  it('end on all ranks where one gets a signal, which is named', async () => {
    const words = ['cv', 'data.txt', '--folds', '59', '--spread', 'folds', '--threads', '1', '--dir', 'signalled'];
    const long = ['--set', 'trees=300', '--set', 'patience=0'];
    const begun = start(2, [`${root}/dist/cli/main.js`, ...words, ...long], { cwd });
    // Both have trained on a fold, and are at others.
    const log = join(cwd, 'signalled/log.jsonl');
    while (!existsSync(log) || readFileSync(log, 'utf8') === '') await wait(20);
    const [, second] = childrenOf(begun.pid);
    process.kill(second!, 'SIGTERM');
    const { stderr, code } = await begun.ended;
    expect(stderr).toMatch(/rank 1: interrupted/);
    expect(code).toBe(143);
  }, 240_000);

  it('is asked for by name', async () => {
    const { stderr } = await listwise(2, ['cv', 'data.txt'], { cwd });
    expect(stderr).toContain('say what 2 ranks share out, --spread folds');
  }, 240_000);
});
