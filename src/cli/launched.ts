/** The command line as one of several processes: rank 0 speaks, others only where they fail. */
import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Launched } from '../ranks/launcher.js';
import { alone, type Transport } from '../ranks/transport.js';
import type { Io } from './io.js';

export async function launchedRanks({ env }: Io, launched: Launched | undefined): Promise<Transport> {
  if (launched === undefined) return alone;
  const { joinRanks } = await import('../ranks/mpi.js');
  const { shareMemory } = await import('../data/memory-limit.js');
  const ranks = await joinRanks(launched, env.LISTWISE_MPI, process.platform);
  shareMemory((await import('../ranks/gathered.js')).ranksHere(ranks));
  return ranks;
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

/**
 * Codes of the signals that ranks got, where all of them end by one error: the others then wait until rank 0 has
 * reported it and ends them. Of any other error, its own.
 */
export async function codesOfAll(
  ranks: Transport,
  error: unknown,
  own: number | undefined,
): Promise<(number | undefined)[]> {
  if (!(await import('../ranks/together.js')).isShared(error)) return [own];
  const codes = (await import('../ranks/gathered.js')).gatherValues(ranks, own);
  if (ranks.rank > 0) ranks.barrier();
  return codes;
}

export async function beforeOthers(rank: number): Promise<void> {
  if (rank > 0) await wait(FIRST_MS + AFTER_MS * rank);
}

/** Together: a launcher ends all ranks where one of them ends with a code, as after a signal. */
export async function leaveRanks(ranks: Transport): Promise<void> {
  await ranks.meet();
  ranks.close();
}

/** As `together`, which one process has no need to load. */
export async function onRanks<T>(ranks: Transport, work: () => T | Promise<T>): Promise<T> {
  return ranks.size === 1 ? work() : (await import('../ranks/together.js')).together(ranks, work);
}
