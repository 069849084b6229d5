/** The page that --report asks for, and how it came about. */
import { kebab, ListwiseError, quote, shellWord } from '../errors.js';
import { dataOrigin, type NamedData } from '../report/data-origin.js';
import type { Origin, Report } from '../report/document.js';
import { writeReport } from '../report/render/html.js';
import { withoutTimes } from '../report/without-times.js';
import type { RunRecording } from '../runs/recording.js';
import { version } from '../version.js';
import type { CommandLine } from './command/command.js';
import type { Output } from './output.js';
import { refuseUnwritable } from './writable.js';

/** Where the page goes, if one is asked for; that it can be written there is known before the work begins. */
export async function reportTarget({ report }: { readonly report: string | undefined }): Promise<string | undefined> {
  if (report !== undefined) await refuseUnwritable(report);
  return report;
}

export async function writePage(file: string, page: Report, output: Output): Promise<void> {
  await writeQuietly(file, page, output);
  output.note(`page written to ${file}`);
}

/** As `writePage`, with no note: in a run folder. Where SOURCE_DATE_EPOCH sets the time, none is measured. */
export async function writeQuietly(file: string, page: Report, { env }: Output): Promise<void> {
  await writeReport(file, env.SOURCE_DATE_EPOCH === undefined ? page : withoutTimes(page));
}

/** The page of a command that may be recorded: into the run folder, and to where --report says. */
export async function writePages(
  { run, report }: { readonly run: RunRecording | undefined; readonly report: string | undefined },
  page: () => Report,
  output: Output,
): Promise<void> {
  if (run === undefined && report === undefined) return;
  const made = page();
  if (run !== undefined) await writeQuietly(run.path('report'), made, output);
  if (report !== undefined) await writePage(report, made, output);
}

/** A command line, as far as a page says what it came from. */
type Asked = Pick<CommandLine, 'words' | 'written'> & { readonly options: { readonly seed: number | undefined } };

/** Options as they were in the end, and a seed that was settled in a config file, go before those written. */
export function originOf(
  line: Asked,
  data: readonly NamedData[],
  { env }: Output,
  settled: { readonly options?: Readonly<Record<string, unknown>>; readonly seed?: number } = {},
): Origin {
  return {
    command: ['listwise', ...line.words.map(shellWord)].join(' '),
    options: Object.fromEntries(
      Object.entries(settled.options ?? line.written)
        .filter(([key, value]) => value !== undefined && String(value) !== '' && !unimportant.has(key))
        .map(([key, value]) => [kebab(key), plain(value)]),
    ),
    version,
    node: process.version.slice(1),
    data: data.map(dataOrigin),
    seed: settled.seed ?? line.options.seed ?? 1,
    created: createdTime(env.SOURCE_DATE_EPOCH),
  };
}

/** Flags that change nothing in a page, and the seed, which stands by itself. */
const unimportant: ReadonlySet<string> = new Set(['json', 'quiet', 'threads', 'out', 'report', 'seed']);

/** Now, or what SOURCE_DATE_EPOCH says (seconds since 1970), so that the same inputs can give the same bytes. */
function createdTime(epoch: string | undefined): string {
  if (epoch !== undefined && !/^\d{1,11}$/.test(epoch)) {
    throw new ListwiseError('option-invalid', `SOURCE_DATE_EPOCH is a number of seconds, found ${quote(epoch)}`);
  }
  const time = epoch === undefined ? new Date() : new Date(1000 * Number(epoch));
  return `${time.toISOString().slice(0, 19)}Z`;
}

function plain(value: unknown): string | number | boolean {
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
