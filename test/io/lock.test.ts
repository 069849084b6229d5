/** Of processes that start at once, one writes to a folder; a stopped one keeps it, a killed one does not. */
import { spawnSync } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Lock, lockName } from '#listwise/io/lock.js';
import { whereabouts } from '#listwise/io/process-exists.js';
import { withoutSignals } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';
import { releaseTaker, says, taker } from './lock-taker.js';

/** A space of processes of its own, as in a container; only root may make one everywhere. */
const apart = ['unshare', '--pid', '--fork', '--kill-child'];
const withoutSpaces =
  process.platform !== 'linux' || spawnSync(apart[0]!, [...apart.slice(1), 'true'], { stdio: 'ignore' }).status !== 0;

describe('a lock', () => {
  it('is held by one at a time, and by any after it was released', async () => {
    const directory = temporaryDirectory();
    const lock = await Lock.take(directory, 'busy');
    await expect(Lock.take(directory, 'busy')).rejects.toMatchObject({ code: 'run-exists' });
    lock.release();
    (await Lock.take(directory, 'busy')).release();
    expect(readdirSync(directory)).toEqual([]);
  });

  it('is not held by a file whose name is no name of a host', async () => {
    const directory = temporaryDirectory();
    const name = lockName({ pid: 1, started: 'ab', ...whereabouts(), host: 'x' }).replace(/x$/, '%zz');
    writeFileSync(join(directory, name), '');
    (await Lock.take(directory, 'busy')).release();
    expect(readdirSync(directory)).toEqual([name]);
  });

  it('of two processes that start at once, never both are in', async () => {
    const seen: string[] = [];
    for (let round = 0; round < 8; round++) {
      const directory = join(temporaryDirectory(), 'run');
      const children = [taker(directory), taker(directory)];
      await Promise.all(children.map(says));
      const at = Date.now() + 60;
      for (const child of children) child.stdin!.write(`${at}\n`);
      const said = await Promise.all(children.map(says));
      await Promise.all(children.map(releaseTaker));
      seen.push(said.sort().join(' '));
    }
    expect(seen).not.toContain('in in');
    expect(new Set(seen)).toEqual(new Set(['in run-exists']));
  });

  it.skipIf(withoutSpaces)('is held by one of two containers that see only their own processes', async () => {
    const directory = temporaryDirectory();
    const [first, second] = [taker(directory, apart), taker(directory, apart)];
    try {
      await Promise.all([first, second].map(says));
      first.stdin!.write('0\n');
      expect(await says(first)).toBe('in');
      second.stdin!.write('0\n');
      expect(await says(second)).toBe('run-exists');
      await expect(Lock.take(directory, 'busy')).rejects.toThrow(
        /which cannot be seen from here\); where .* take away/,
      );
    } finally {
      await Promise.all([first, second].map(releaseTaker));
    }
  });

  it.skipIf(withoutSignals)('stays with a process that is stopped, and not with one that was killed', async () => {
    const directory = temporaryDirectory();
    const child = taker(directory);
    await says(child);
    child.stdin!.write('0\n');
    expect(await says(child)).toBe('in');
    child.kill('SIGSTOP');
    await expect(Lock.take(directory, 'busy')).rejects.toThrow(`busy (process ${child.pid} on `);
    await releaseTaker(child);
    (await Lock.take(directory, 'busy')).release();
    expect(readdirSync(directory)).toEqual([]);
  });
});
