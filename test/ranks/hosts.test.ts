/** The same models where ranks are on hosts of their own, which reach each other by TCP. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary.js';
import { Hosts, withoutHosts } from './hosts.js';
import { root, unlessThere } from './mpirun.js';
import { hostCases } from './programs/cases.mjs';

const program = `${root}/test/ranks/programs/models.mjs`;
const reason = withoutHosts();

const names = Object.keys(hostCases);

describe.skipIf(reason !== undefined)(`models on several hosts${unlessThere(reason)}`, () => {
  it.each([2, 3])(
    'are those of one process, on %i hosts',
    async count => {
      const one = spawnSync(process.execPath, [program, '1', ...names], { cwd: root, encoding: 'utf8' });
      const hosts = new Hosts(count, temporaryDirectory());
      try {
        const { stdout, code } = await hosts.run([program, '1', ...names]);
        expect(code).toBe(0);
        expect(stdout.split('\n').filter(line => line.startsWith('{'))).toHaveLength(names.length);
        expect(stdout).toBe(one.stdout);
      } finally {
        hosts.close();
      }
    },
    600_000,
  );

  it('sends as many bytes a tree over the network as the docs say, but for headers', async () => {
    const hosts = new Hosts(2, temporaryDirectory());
    try {
      /** Of both hosts, and what their ranks are due to hand over a tree. */
      const sentFor = async (trees: number) => {
        const before = hosts.sent();
        const { stdout } = await hosts.run([`${root}/test/ranks/programs/bytes.mjs`, String(trees)]);
        const due = stdout
          .trim()
          .split('\n')
          .map(line => JSON.parse(line).due as number);
        return { bytes: hosts.sent().map((bytes, i) => bytes - before[i]!), due };
      };
      const few = await sentFor(4);
      const many = await sentFor(44);
      const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b);
      const ratio = (sum(many.bytes) - sum(few.bytes)) / 40 / sum(many.due);
      expect(ratio).toBeGreaterThan(1);
      expect(ratio).toBeLessThan(1.1);
    } finally {
      hosts.close();
    }
  }, 600_000);
});
