/** Starts programs on several ranks, by the MPI libraries that this machine has. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const MPIS = {
  'Open MPI': {
    packaged: 'openmpi-bin',
    commands: ['mpirun.openmpi', 'mpirun'],
    says: /Open(RTE| MPI)/,
    // Tests may run as root and on fewer cores than ranks, where one that waits must let others run.
    options: [
      ...['--allow-run-as-root', '--oversubscribe', '--bind-to', 'none'],
      ...['--mca', 'mpi_yield_when_idle', '1'],
    ],
  },
  MPICH: { packaged: 'mpich', commands: ['mpirun.mpich', 'mpirun'], says: /HYDRA/, options: [] },
} as const;

export type Mpi = keyof typeof MPIS;
export const mpis = Object.keys(MPIS) as Mpi[];

/** The command that starts ranks; undefined where the library is not installed. */
export function launcherOf(mpi: Mpi): string | undefined {
  const { commands, says } = MPIS[mpi];
  return commands.find(command => says.test(spawnSync(command, ['--version'], { encoding: 'utf8' }).stdout ?? ''));
}

/** Why tests over a library are left out, or undefined. .ci/run installs both. */
export function without(mpi: Mpi): string | undefined {
  return launcherOf(mpi) === undefined ? `${mpi} (${MPIS[mpi].packaged}) is not installed` : undefined;
}
export const withoutOpenMpi = without('Open MPI');
export const withoutMpich = without('MPICH');

/** For the title of a test that is left out for a reason. */
export const unlessThere = (reason: string | undefined): string =>
  reason === undefined ? '' : ` (skipped: ${reason})`;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
}

export interface Started {
  readonly pid: number;
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly mpi?: Mpi;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export function start(
  ranks: number,
  words: readonly string[],
  { mpi = 'Open MPI', cwd = root, env = {} }: StartOptions = {},
): Started {
  const args = [...MPIS[mpi].options, '-np', String(ranks), process.execPath, ...words];
  return started(launcherOf(mpi)!, args, cwd, env);
}

export function started(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Started {
  const begun = performance.now();
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', text => {
      texts[stream] += text;
    });
  }
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', code => resolve({ code, ...texts, seconds: (performance.now() - begun) / 1000 }));
  });
  return { pid: child.pid!, ended };
}

export const mpirun = (...given: Parameters<typeof start>): Promise<Ended> => start(...given).ended;

/** The command line on several ranks; 0 is a process by itself. */
export function listwise(ranks: number, words: readonly string[], options: StartOptions = {}) {
  const main = `${root}/dist/cli/main.js`;
  return ranks > 0 ? mpirun(ranks, [main, ...words], options) : single([main, ...words], options.cwd);
}

async function single(words: readonly string[], cwd = root): Promise<Ended> {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd, encoding: 'utf8' });
  return { code: status, stdout, stderr, seconds: 0 };
}

/** Waits until a process has ended; one that nobody has asked for its code has, too. */
export async function gone(pid: number): Promise<void> {
  const state = () => spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  while (!/^(Z|$)/.test(state())) await wait(50);
}

/** The processes of the ranks, of a launcher's. */
export function childrenOf(pid: number): number[] {
  const found = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' });
  return found.trim().split(/\s+/).map(Number);
}
