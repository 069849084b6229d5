/** Where addresses are limited, no thread is started that would end the process for want of them. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { addressSpace, refuseThreads } from '#listwise/io/address-space.js';
import { examples, main } from '../cli/run.js';

const LIMITS = 'Limit  Soft Limit  Hard Limit  Units\nMax address space  33792000000  unlimited  bytes\n';
const STATUS = 'Name:\tnode\nVmPeak:\t 999 kB\nVmSize:\t 32000000 kB\n';

describe('addresses', () => {
  it('are limited where the system says so', () => {
    expect(addressSpace(LIMITS, STATUS)).toEqual({ limit: 33_792_000_000, used: 32_768_000_000 });
    expect(addressSpace(LIMITS.replace('33792000000', 'unlimited'), STATUS)).toBeUndefined();
    expect(addressSpace('', '')).toBeUndefined();
  });

  it('that do not do for the threads are an error with a code', () => {
    const space = addressSpace(LIMITS, STATUS)!;
    expect(() => refuseThreads(2, space)).toThrow(
      expect.objectContaining({
        code: 'data-too-large',
        message: expect.stringMatching(
          /31\.5 GiB of addresses \(ulimit -v\), of which 1\.0 are left.* 2 threads takes 3\.0/,
        ),
      }),
    );
    refuseThreads(0, space);
    refuseThreads(2, { ...space, used: 0 });
    refuseThreads(2, undefined);
  });

  it.skipIf(process.platform !== 'linux')('that are too few are said to be limited', () => {
    const train = [main, 'train', 'test.txt', '--out', '/dev/null', '--force', '--set', 'trees=2', '--threads', '2'];
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -v 8000000; exec "$@"', 'sh', process.execPath, ...train],
      {
        cwd: examples,
        encoding: 'utf8',
      },
    );
    expect(stderr).toMatch(/ulimit -v.*--disable-wasm-trap-handler.*\[data-too-large\]/);
    expect(status).toBe(2);
  });
});
