/** Of processes that start at once, one writes to a folder; a stopped one keeps it, a killed one does not. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Lock } from '#listwise/io/lock.js';
import { withoutSignals } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';
import { releaseTaker, says, taker } from './lock-taker.js';

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
    writeFileSync(join(directory, 'lock.1.ab.%zz'), '');
    (await Lock.take(directory, 'busy')).release();
    expect(readdirSync(directory)).toEqual(['lock.1.ab.%zz']);
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
