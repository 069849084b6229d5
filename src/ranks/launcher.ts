/** Whether a launcher of MPI programs started this process, and as one of how many. */

export type LauncherEnvironment = Readonly<Record<string, string | undefined>>;

export interface Launched {
  readonly launcher: string;
  readonly size: number;
  /** As the launcher counts, before ranks have joined. */
  readonly rank: number;
}

/**
 * What each launcher says the number of its processes by, and which of them this is. Slurm says it of `srun` alone, not
 * of a batch script.
 */
const launchers = [
  { launcher: 'mpirun of Open MPI', size: 'OMPI_COMM_WORLD_SIZE', rank: 'OMPI_COMM_WORLD_RANK' },
  // MPICH may start its own helpers by srun, one a machine.
  { launcher: 'mpirun of MPICH', size: 'PMI_SIZE', rank: 'PMI_RANK' },
  { launcher: 'srun', size: 'SLURM_STEP_NUM_TASKS', rank: 'SLURM_PROCID' },
] as const;

/** Undefined where this is a process by itself. */
export function launchedBy(environment: LauncherEnvironment): Launched | undefined {
  for (const { launcher, ...variables } of launchers) {
    const size = Number(environment[variables.size] ?? 1);
    if (size > 1) return { launcher, size, rank: Number(environment[variables.rank] ?? 0) };
  }
  return undefined;
}
