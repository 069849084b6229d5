/** The promise: the same model to the bit, whatever the number of ranks and threads. */
import { spawnSync } from 'node:child_process';
import { beforeAll, describe, expect, it } from 'vitest';
import { mpirun, root, unlessThere, withoutMpich, withoutOpenMpi } from './mpirun.js';
import { cases } from './programs/cases.mjs';

const program = `${root}/test/ranks/programs/models.mjs`;

interface Model {
  readonly name: string;
  readonly digest: string;
  readonly iterations: number;
}

function models(stdout: string): Map<string, Model> {
  const lines = stdout.split('\n').filter(line => line.startsWith('{'));
  return new Map(lines.map(line => JSON.parse(line)).map((model: Model) => [model.name, model]));
}

const oneProcess = (threads: number) => {
  const { stdout, stderr } = spawnSync(process.execPath, [program, String(threads)], { cwd: root, encoding: 'utf8' });
  return { found: models(stdout), stderr };
};

describe('models', () => {
  let due: Map<string, Model>;

  beforeAll(() => {
    const { found, stderr } = oneProcess(1);
    expect(stderr).toBe('');
    due = found;
    expect([...due.keys()]).toEqual(Object.keys(cases));
    expect(new Set([...due.values()].map(({ digest }) => digest)).size).toBe(due.size);
    for (const { iterations } of due.values()) expect(iterations).toBeGreaterThan(0);
  }, 600_000);

  it.each([2, 3])('are the same with %i threads', threads => expect(oneProcess(threads).found).toEqual(due), 600_000);

  it.skipIf(withoutOpenMpi !== undefined).each([2, 3, 5])(
    `are the same on %i ranks of Open MPI${unlessThere(withoutOpenMpi)}`,
    async ranks => {
      const { stdout, stderr } = await mpirun(ranks, [program, '1']);
      expect(stderr.replace(/^.*Forwarding signal.*\n/gm, '')).toBe('');
      expect(models(stdout)).toEqual(due);
    },
    600_000,
  );

  it.skipIf(withoutMpich !== undefined)(
    `are the same on 2 ranks of MPICH with 2 threads each${unlessThere(withoutMpich)}`,
    async () => {
      const { stdout } = await mpirun(2, [program, '2'], { mpi: 'MPICH' });
      expect(models(stdout)).toEqual(due);
    },
    600_000,
  );
});
