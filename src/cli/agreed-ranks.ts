/** What the processes that a launcher started must have in common before they work together. */
import type { Dataset } from '../data/dataset.js';
import { fingerprint } from '../data/fingerprint.js';
import { shellWord } from '../errors.js';
import { digestOf } from '../io/identity.js';
import { agree } from '../ranks/agree.js';
import type { Transport } from '../ranks/transport.js';
import { moduleDigests } from '../training/job-fingerprint.js';
import { version } from '../version.js';
import { usage } from './command/option.js';
import type { Output } from './output.js';

/** Ranks that would not do the same stop before they read. */
export async function agreeOnLine(
  ranks: Transport,
  words: readonly string[],
  settings: Readonly<Record<string, unknown>>,
  modules: readonly string[] = [],
): Promise<void> {
  if (ranks.size === 1) return;
  agree(ranks, {
    'the version of listwise': version,
    'the version of Node': `${process.versions.node} ${process.arch}`,
    'the command line': words.map(shellWord).join(' '),
    // Files that options are read from may differ where the words that name them do not.
    'the options': digestOf({ ...settings, threads: undefined }),
    ...(await moduleDigests(modules)),
  });
}

interface SpreadLine {
  readonly words: readonly string[];
  readonly options: { readonly spread: 'folds' | undefined; readonly load?: readonly string[] };
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
