/** Reads the data evaluated on and the systems that rank it: runs against qrels, or scores and models over data. */
import { type OpenedSystem, openSystem, type System, type SystemKind } from '../../analysis/system.js';
import { readDataset } from '../../data/read/read-dataset.js';
import type { ReadOptions } from '../../data/readers/reader.js';
import { readQrels } from '../../data/readers/trec/qrels.js';
import { quote } from '../../errors.js';
import { readForAll } from '../../models/read-for.js';
import type { NamedData } from '../../report/data-origin.js';
import { invalid, type NamedFile, type OptionValues, usage } from '../command/option.js';
import type { runOptions, systemOptions } from '../options/systems.js';
import type { Output } from '../output.js';
import { type DataValues, followedInput, readOptions, scoringOptions } from './data.js';

export interface EvaluatedSystems {
  readonly systems: readonly System[];
  /** What they were evaluated on, for the origin of a page. */
  readonly evaluated: NamedData;
}

/** Refuses what makes no systems: fewer than `least`, two of a name, no data to rank or too much of it. */
export function checkSystems(
  data: string | undefined,
  { system, qrels }: OptionValues<typeof systemOptions>,
  least: number,
): void {
  if (system.length < least) {
    throw usage(`give --system NAME=FILE at least ${least === 1 ? 'once' : 'twice'}, found ${system.length}`);
  }
  const twice = system.find(({ name }, i) => system.findIndex(other => other.name === name) < i);
  if (twice !== undefined) throw invalid(`two systems are named ${quote(twice.name)}`);
  if ((qrels === undefined) === (data === undefined)) throw usage('give either DATA or --qrels FILE');
}

/** What to read beyond the usual to tell queries apart. */
export function readBy(by: string | undefined): ReadOptions {
  return by === undefined ? {} : { extraColumns: [by] };
}

/** Reads DATA, or the judgments of --qrels, and the systems; what a file is may be known. */
export async function readSystems(
  data: string | undefined,
  files: readonly (NamedFile & { readonly kind?: SystemKind })[],
  options: OptionValues<typeof runOptions> & DataValues,
  output: Output,
  more: ReadOptions = {},
): Promise<EvaluatedSystems> {
  const { qrels } = options;
  // Opened first: a misspelt name should not wait for the data.
  const inputs = await Promise.all(
    files.map(async ({ file, ...rest }) => ({ ...rest, input: await followedInput(file, output) })),
  );
  const opened: OpenedSystem[] = [];
  for (const { name, kind, input } of inputs) {
    const how = {
      kind: qrels === undefined ? kind : ('run' as const),
      complete: options.complete,
      ...scoringOptions(options, output),
    };
    opened.push(await openSystem(name, input, how));
  }
  const file = qrels ?? data!;
  const evaluated =
    qrels === undefined
      ? await readDataset(
          file,
          readForAll(
            // Scores need no features.
            opened.flatMap(({ model }) => model ?? []),
            { ...(await readOptions(options, output)), ...more },
          ),
        )
      : await readQrels(await followedInput(file, output));
  const systems: System[] = [];
  for (const system of opened) systems.push(await system.over(evaluated));
  return { systems, evaluated: { file, data: evaluated } };
}
