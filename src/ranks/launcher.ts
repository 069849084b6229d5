/** Whether a launcher of MPI programs started this process, and as one of how many. */

export type LauncherEnvironment = Readonly<Record<string, string | undefined>>;

export interface Launched {
  readonly launcher: string;
  readonly size: number;
}

/** What each launcher says the number of its processes by. Slurm says it of `srun` alone, not of a batch script. */
const launchers = [
  { launcher: 'mpirun of Open MPI', variable: 'OMPI_COMM_WORLD_SIZE' },
  // MPICH may start its own helpers by srun, one a machine.
  { launcher: 'mpirun of MPICH', variable: 'PMI_SIZE' },
  { launcher: 'srun', variable: 'SLURM_STEP_NUM_TASKS' },
] as const;

/** Undefined where this is a process by itself. */
export function launchedBy(environment: LauncherEnvironment): Launched | undefined {
  for (const { launcher, variable } of launchers) {
    const size = Number(environment[variable] ?? 1);
    if (size > 1) return { launcher, size };
  }
  return undefined;
}
