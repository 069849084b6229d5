import { describe, expect, it } from 'vitest';
import { launchedBy } from '#listwise/ranks/launcher.js';
import { loadKoffi, loadMpiLibrary } from '#listwise/ranks/mpi-library.js';
import { type Ended, mpirun, mpis, root, unlessThere, without } from './mpirun.js';

const program = `${root}/test/ranks/programs/transport.mjs`;

/** What rank `rank` of `size` should find. */
const due = (rank: number, size: number) => ({
  rank,
  size,
  sums: [(size * (size + 1)) / 2, (size * (size + 1)) / 2],
  long: [String(BigInt(size) * 2n ** 60n), String((-size * (size - 1)) / 2)],
  piece: [0, 1].map(i => size * (2 * rank + i) + (size * (size - 1)) / 2),
  most: [size - 1, 0, 0.5],
  alike: Array.from({ length: size }, (_, r) => [r, 0.5]).flat(),
  gathered: Array.from({ length: size }, (_, r) => Array(r).fill(r)).flat(),
  values: Array.from({ length: size }, (_, r) => ({ name: `rank ${r}` })),
  total: (size * (size - 1)) / 2,
  told: [7, 1],
  left: size === 1 ? { done: 'done', turns: 5 } : { asked: [size - 1], turns: 3 },
  // Whoever came first waited without work.
  slept: true,
});

const found = ({ stdout }: Ended) =>
  stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .sort((a, b) => a.rank - b.rank);

describe('a transport', () => {
  for (const mpi of mpis) {
    for (const size of [2, 3, 5]) {
      it.skipIf(without(mpi) !== undefined)(
        `of ${mpi} joins ${size} ranks${unlessThere(without(mpi))}`,
        async () => {
          const ended = await mpirun(size, [program], { mpi });
          expect(ended.stderr).toBe('');
          const ranks = found(ended);
          expect(ranks.map(({ name: _, ...rest }) => rest)).toEqual(
            Array.from({ length: size }, (_, rank) => due(rank, size)),
          );
          expect(ranks[0].name).toMatch(mpi === 'MPICH' ? /^MPICH \d/ : /^Open MPI v\d/);
        },
        240_000,
      );
    }
  }

  it('of one process finds its own numbers', async () => {
    const { spawnSync } = await import('node:child_process');
    const { stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8', cwd: root });
    const { name, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual(due(0, 1));
    expect(name).toBe('one process');
  });
});

describe('a launcher', () => {
  it('is known by what it says in the environment', () => {
    expect(launchedBy({})).toBeUndefined();
    expect(launchedBy({ OMPI_COMM_WORLD_SIZE: '1' })).toBeUndefined();
    expect(launchedBy({ OMPI_COMM_WORLD_SIZE: '4' })).toEqual({ launcher: 'mpirun of Open MPI', size: 4, rank: 0 });
    expect(launchedBy({ PMI_SIZE: '3', PMI_RANK: '2' })).toEqual({ launcher: 'mpirun of MPICH', size: 3, rank: 2 });
    expect(launchedBy({ SLURM_STEP_NUM_TASKS: '8' })?.launcher).toBe('srun');
    // A batch script of four tasks runs once.
    expect(launchedBy({ SLURM_NTASKS: '4' })).toBeUndefined();
  });
});

describe('what is missing', () => {
  it('is koffi, with the command that installs it', async () => {
    const gone = () => Promise.reject(Object.assign(new Error('no koffi'), { code: 'ERR_MODULE_NOT_FOUND' }));
    await expect(loadKoffi(gone)).rejects.toThrow(/which is not installed; run: npm install koffi/);
  });

  it('is a library, with its names', async () => {
    const named = loadMpiLibrary('srun', 'libnone.so');
    await expect(named).rejects.toThrow(/no MPI library was found \(libnone\.so\): .*LISTWISE_MPI/);
  });
});
