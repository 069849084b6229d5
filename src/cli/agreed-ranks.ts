/** What the processes that a launcher started must have in common before they work together. */
import { hostname } from 'node:os';
import type { Dataset } from '../data/dataset.js';
import { fingerprint } from '../data/fingerprint.js';
import { shellWord } from '../errors.js';
import { digestOf } from '../io/identity.js';
import { isObject } from '../io/is-object.js';
import { agree } from '../ranks/agree.js';
import { gatherValues, ranksHere } from '../ranks/gathered.js';
import { ofAll, together } from '../ranks/together.js';
import type { Transport } from '../ranks/transport.js';
import { moduleDigests } from '../training/module-digests.js';
import { version } from '../version.js';
import type { CommandLine } from './command/command.js';
import { usage } from './command/option.js';
import type { Output } from './output.js';

/** Ranks that would not do the same stop before they begin. */
export function agreeOnWords(ranks: Transport, words: readonly string[]): void {
  agree(ranks, {
    'the version of listwise': version,
    'the version of Node': `${process.versions.node} ${process.arch}`,
    'the command line': words.map(shellWord).join(' '),
  });
}

/** Files that options are read from may differ where the words that name them do not. */
export async function agreeOnSettings(
  ranks: Transport,
  settings: Readonly<Record<string, unknown>>,
  modules: readonly string[] = [],
): Promise<void> {
  if (ranks.size === 1) return;
  const digests = await together(ranks, () => moduleDigests(modules));
  agree(ranks, { ...byName({ ...settings, threads: undefined }), ...digests });
}

/** Each option by its name, those of a model too: a message says which one differs. What is long by its digest. */
function byName(settings: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const named = Object.entries(settings).flatMap(([key, value]) =>
    isPlain(value) ? Object.entries(value) : [[key, value] as const],
  );
  return Object.fromEntries(
    named.map(([key, value]) => [
      `the option ${key}`,
      typeof value === 'object' && value !== null ? digestOf(value) : String(value),
    ]),
  );
}

/** No instance of anything, whose entries say little. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.getPrototypeOf(value) === Object.prototype;
}

interface SpreadLine {
  readonly options: { readonly spread: 'folds' | undefined; readonly load?: readonly string[] };
}

/** The ranks of a command that shares trainings out; ranks that were asked for different things stop here. */
export async function spreadRanks(
  { options }: SpreadLine,
  settings: Readonly<Record<string, unknown>>,
  { ranks }: Output,
): Promise<Transport> {
  if (ranks.size > 1 && options.spread === undefined) {
    throw ofAll(usage(`say what ${ranks.size} ranks share out, --spread folds, or start one process`));
  }
  await agreeOnSettings(ranks, settings, options.load);
  return ranks;
}

/** What every rank reads; those that read different data stop here. */
export async function readAlike<Read>(
  ranks: Transport,
  read: () => Promise<Read>,
  dataOf: (read: Read) => readonly Dataset[],
): Promise<Read> {
  const found = await together(ranks, read);
  if (ranks.size > 1) agree(ranks, { 'the data': digestOf(dataOf(found).map(fingerprint)) });
  return found;
}

/** Threads of a rank: as many as asked for; where nobody asked, its share of the cores of its machine. */
export function threadsOfRank(
  ranks: Transport,
  { given, options: { threads } }: Pick<CommandLine, 'given'> & { readonly options: { readonly threads: number } },
): number {
  // Asked of all ranks, whatever each was given: machines may have different numbers of cores.
  const here = ranksHere(ranks);
  return given.has('threads') ? threads : Math.max(1, Math.floor(threads / here));
}

/** How many there are, over what; also their processes, where the launcher names one that is lost by nothing else. */
export function ranksNote(ranks: Transport): string {
  const processes = gatherValues(ranks, `${process.pid} on ${hostname()}`);
  const said = `${ranks.size} ranks (${ranks.name})`;
  return /^Open MPI/.test(ranks.name) ? said : `${said}: processes ${processes.join(', ')}`;
}
