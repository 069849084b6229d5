/** The command line as one of several processes: rank 0 speaks, others only where they fail. */
import { hostname } from 'node:os';
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { gatherValues } from '../ranks/gathered.js';
import { launchedBy } from '../ranks/launcher.js';
import { alone, type Transport } from '../ranks/transport.js';
import type { Io } from './io.js';

export async function launchedRanks({ env }: Io): Promise<Transport> {
  const launched = launchedBy(env);
  if (launched === undefined) return alone;
  const { joinRanks } = await import('../ranks/mpi.js');
  return joinRanks(launched, env.LISTWISE_MPI, process.platform);
}

export function ofRank(io: Io, ranks: Transport): Io {
  if (ranks.rank === 0) return { ...io, ranks };
  const nowhere = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return { ...io, ranks, stdout: nowhere(), stderr: nowhere() };
}

/** So long does rank 0 have to report what all ranks may have found, before another does. */
const FIRST_MS = 2500;
/** And each rank after the one before it. */
const AFTER_MS = 200;

export async function beforeOthers({ rank }: Transport): Promise<void> {
  if (rank > 0) await wait(FIRST_MS + AFTER_MS * rank);
}

/** Together: a launcher ends all ranks where one of them ends with a code, as after a signal. */
export function leaveRanks(ranks: Transport): void {
  ranks.barrier();
  ranks.close();
}

/** Threads of a rank: as many as asked for; where nobody asked, its share of the cores of its machine. */
export function threadsOfRank(
  ranks: Transport,
  {
    words,
    options: { threads },
  }: { readonly words: readonly string[]; readonly options: { readonly threads: number } },
): number {
  // Asked of all ranks, whatever each was given: machines may have different numbers of cores.
  const here = gatherValues(ranks, hostname()).filter(host => host === hostname()).length;
  const asked = words.some(word => /^--threads(=|$)/.test(word));
  return asked ? threads : Math.max(1, Math.floor(threads / here));
}
