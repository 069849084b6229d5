/** How the processes that a launcher started share the work of commands that train many models. */
import type { Dataset } from '../../data/dataset.js';
import { fingerprint } from '../../data/fingerprint.js';
import { digestOf } from '../../io/identity.js';
import { agree } from '../../ranks/agree.js';
import type { Transport } from '../../ranks/transport.js';
import { choice, usage } from '../command/option.js';
import { agreeOnLine } from '../launched.js';
import type { Output } from '../output.js';

export const spreadOption = {
  spread: choice(
    ['folds'],
    'what',
    'under mpirun or srun: what is shared out among ranks. folds: whole trainings, on a fold or sample each, with all data on every rank',
  ),
};

interface SpreadLine {
  readonly words: readonly string[];
  readonly options: { readonly spread: 'folds' | undefined; readonly load: readonly string[] };
}

/** The ranks of a command that shares trainings out; ranks that were asked for different things stop here. */
export async function spreadRanks(
  { words, options }: SpreadLine,
  settings: Readonly<Record<string, unknown>>,
  { ranks }: Output,
): Promise<Transport> {
  if (ranks.size > 1 && options.spread === undefined) {
    throw usage(`say what ${ranks.size} ranks share out, --spread folds, or start one process`);
  }
  await agreeOnLine(ranks, words, settings, options.load);
  return ranks;
}

/** Ranks that read different data stop here. */
export function agreeOnData(ranks: Transport, data: readonly Dataset[]): void {
  if (ranks.size > 1) agree(ranks, { 'the data': digestOf(data.map(fingerprint)) });
}
