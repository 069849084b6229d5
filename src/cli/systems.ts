/**
 * The flags that name systems to be judged, and how they are read: runs against qrels, or scores and models over data.
 */
import { readSystem, type System } from '../analysis/system.js';
import { readDataset } from '../data/read/read.js';
import { readQrels } from '../data/readers/trec/qrels.js';
import { ListwiseError, quote } from '../errors.js';
import type { CommandOption, OptionValues } from './command.js';
import { refuseFlags, refuseStdinTwice, usage } from './contradictions.js';
import { dataOptions, followedInput, readOptions, scoringOptions, splitPair } from './data-options.js';
import type { Output } from './output.js';
import type { NamedData } from './report-option.js';

export const systemOptions: readonly CommandOption[] = [
  { flags: '--qrels <file>', description: 'TREC judgments; every system is then a run file' },
  {
    flags: '--system <name=file>',
    description: 'a system: a run, a score file or a model of any format; repeatable',
    repeat: true,
  },
  { flags: '--complete', description: 'for runs: judge every judged query, also those that a run lacks' },
];

export interface EvaluatedSystems {
  readonly systems: readonly System[];
  /** What they were judged on, for the origin of a page. */
  readonly judged: NamedData;
}

export interface SystemFile {
  readonly name: string;
  readonly file: string;
}

/**
 * The files of every --system, of which there must be at least `least`; contradictions are said before anything is
 * read.
 */
export function systemFiles(args: readonly string[], options: OptionValues, least: number): SystemFile[] {
  const given = (options.system as string[] | undefined) ?? [];
  if (given.length < least) {
    throw usage(`give --system NAME=FILE at least ${least === 1 ? 'once' : 'twice'}, found ${given.length}`);
  }
  const files = given.map(text => {
    const [name, file] = splitPair(text);
    if (name !== '' && file) return { name, file };
    throw new ListwiseError('option-invalid', `--system takes NAME=FILE, found ${quote(text)}`);
  });
  const twice = files.find(({ name }, i) => files.findIndex(other => other.name === name) < i);
  if (twice !== undefined) throw new ListwiseError('option-invalid', `two systems are named ${quote(twice.name)}`);
  const qrels = options.qrels as string | undefined;
  if ((qrels === undefined) === (args.length === 0)) throw usage('give either DATA or --qrels FILE');
  if (args.length > 1) throw usage(`give one DATA, found ${args.length}`);
  if (qrels !== undefined) refuseFlags(options, dataOptions, '--qrels: qrels and run files have one layout');
  refuseStdinTwice([...args, qrels, ...files.map(({ file }) => file)]);
  return files;
}

/** Reads DATA, or the judgments of --qrels, and the systems. */
export async function readSystems(
  args: readonly string[],
  files: readonly SystemFile[],
  options: OptionValues,
  output: Output,
): Promise<EvaluatedSystems> {
  const qrels = options.qrels as string | undefined;
  const data =
    qrels === undefined
      ? await readDataset(args[0]!, readOptions(options, output))
      : await readQrels(await followedInput(qrels, output));
  const systems: System[] = [];
  for (const { name, file } of files) {
    systems.push(
      await readSystem(name, await followedInput(file, output), data, {
        kind: qrels === undefined ? undefined : 'run',
        complete: options.complete === true,
        ...scoringOptions(options, output),
      }),
    );
  }
  return { systems, judged: { file: qrels ?? args[0]!, data } };
}
