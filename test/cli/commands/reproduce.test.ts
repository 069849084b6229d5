import { availableParallelism } from 'node:os';
import { describe, expect, it } from 'vitest';
import { verdicts } from '#listwise/reproduce/evidence.js';
import { experiments, notRun } from '#listwise/reproduce/index.js';
import { run } from '../run.js';
import '../../threads-at-once.js';

describe('reproduce', () => {
  it('lists the experiments', async () => {
    const { code, stdout } = await run(['reproduce', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout).experiments.map(({ name }: { name: string }) => name)).toEqual(
      experiments.map(({ name }) => name),
    );
  });

  it('prints one table of all claims, with what it would take where none can tell', async () => {
    const { stdout } = await run(['reproduce']);
    const { claims } = JSON.parse((await run(['reproduce', '--json'])).stdout);
    expect(claims.length).toBeGreaterThan(100);
    expect(new Set(claims.map(({ experiment }: { experiment: string }) => experiment))).toEqual(
      new Set(experiments.map(({ name }) => name).filter(name => !notRun().includes(name))),
    );
    for (const name of notRun()) expect(stdout).toContain(name);
    for (const { claim, paper, ours, verdict, needed } of claims) {
      expect(stdout).toContain(claim);
      expect([paper, ours].every(text => stdout.includes(text))).toBe(true);
      expect(verdicts).toContain(verdict);
      expect(needed !== undefined).toBe(verdict === 'cannot tell');
    }
    expect(stdout).toMatch(/Of [0-9]+ claims [0-9]+ hold, [0-9]+ are contradicted and [0-9]+ are open/);
  });

  it.each([
    [['no-such-experiment'], 'there is no experiment "no-such-experiment"'],
    [['burges-2006-figure-2', '--resume'], '--resume needs --dir DIR'],
    [['--report', 'page.html'], '--report does not go with the table of all claims: name an experiment'],
    [['--resume'], '--resume needs --dir DIR'],
    [['qin-2010-ohsumed', '--scale', 'tiny'], 'the experiment reads ohsumed'],
  ])('%j is a mistake, reported in one line', async (args, message) => {
    const { code, stdout, stderr } = await run(['reproduce', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  // With one core there are no workers to count.
  it.skipIf(availableParallelism() === 1)('runs on all cores unless asked otherwise', async () => {
    const workers = async (...more: string[]) => {
      let started = 0;
      const count = () => started++;
      process.on('worker', count);
      const words = ['reproduce', 'donmez-2009-local-optimality', '--scale', 'tiny', '--quiet', ...more];
      expect((await run(words)).code).toBe(0);
      process.off('worker', count);
      return started;
    };
    expect(await workers('--threads', '1')).toBe(0);
    expect(await workers()).toBeGreaterThan(0);
  });
});
