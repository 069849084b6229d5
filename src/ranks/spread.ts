/**
 * Pieces of work that ranks share out, each done whole by one of them. Every rank is given every outcome, so that all
 * go on alike: they must ask for the same work in the same order.
 */
import { ListwiseError } from '../errors.js';
import { gatherValues } from './gathered.js';
import type { Transport } from './transport.js';

type Settled<Outcome> =
  | { readonly value: Outcome }
  | { readonly error: Pick<ListwiseError, 'code' | 'detail' | 'place'> };

/**
 * Outcomes by job; one that failed by a mistake of the user is that error. Any other failure ends all ranks. A rank
 * begins all of its own jobs at once, and `work` sees to how many run.
 */
export async function spread<Job, Outcome>(
  ranks: Transport,
  jobs: readonly Job[],
  work: (job: Job) => Promise<Outcome>,
): Promise<(Outcome | ListwiseError)[]> {
  const settled = await Promise.all(ownJobs(ranks, jobs).map(job => settle(ranks, work(job))));
  await ranks.meet();
  return inOrderOfJobs(ranks, jobs, settled);
}

/** The same, one after another; the first mistake of any rank is thrown, once that rank has come to it. */
export async function spreadInTurn<Job, Outcome>(
  ranks: Transport,
  jobs: readonly Job[],
  work: (job: Job) => Promise<Outcome>,
): Promise<Outcome[]> {
  const settled: Settled<Outcome>[] = [];
  for (const job of ownJobs(ranks, jobs)) {
    const one = await settle(ranks, work(job));
    settled.push(one);
    if ('error' in one) break;
  }
  await ranks.meet();
  const outcomes = inOrderOfJobs(ranks, jobs, settled);
  const failed = outcomes.find(outcome => outcome instanceof ListwiseError);
  if (failed !== undefined) throw failed;
  return outcomes as Outcome[]; // none is an error, so none is missing
}

function ownJobs<Job>(ranks: Transport, jobs: readonly Job[]): Job[] {
  return jobs.filter((_, number) => number % ranks.size === ranks.rank);
}

function inOrderOfJobs<Outcome>(
  ranks: Transport,
  jobs: readonly unknown[],
  settled: Settled<Outcome>[],
): (Outcome | ListwiseError)[] {
  const all = gatherValues(ranks, settled);
  return jobs.map((_, number) => {
    const own = all[number % ranks.size]!;
    // A rank that stopped early is through with the rest, too.
    const outcome = own[Math.floor(number / ranks.size)] ?? own.at(-1)!;
    if ('value' in outcome) return outcome.value;
    const { code, detail, place } = outcome.error;
    return new ListwiseError(code, detail, place);
  });
}

async function settle<Outcome>({ size }: Transport, work: Promise<Outcome>): Promise<Settled<Outcome>> {
  try {
    return { value: await work };
  } catch (error) {
    // Others may be at work for long: a rank that was asked to end ends all.
    const ends = size > 1 && error instanceof ListwiseError && error.code === 'training-interrupted';
    if (!(error instanceof ListwiseError) || ends) throw error;
    const { code, detail, place } = error;
    return { error: { code, detail, place } };
  }
}
