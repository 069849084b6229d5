/** The flags of commands that record themselves in a run folder, and the recording around their work. */
import { ListwiseError } from '../errors.js';
import type { RunRecording } from '../runs/recording.js';
import { RunFolder } from '../runs/run-folder.js';
import type { CommandDefinition, CommandOption, OptionValues } from './command.js';
import { usage } from './contradictions.js';
import { interruptCode, watchSignals } from './interrupt.js';
import { parseWords } from './parser.js';
import { version } from './version.js';

export const forceOption: CommandOption = {
  flags: '--force',
  description: 'start over in a run folder that already holds a run',
};

export const runFolderOptions: readonly CommandOption[] = [
  {
    flags: '--dir <directory>',
    description: 'run folder: options, log, model, results, report and checkpoint are kept there',
  },
  forceOption,
];

export interface RecordedRun {
  /** Arguments and options, as the command gets them. */
  readonly args: readonly string[];
  readonly options: OptionValues;
  /** The words that they were parsed from, the command's name first. */
  readonly commandLine: readonly string[];
}

/**
 * What to run. `--dir DIR --resume` with no arguments takes the command line that the run in DIR was started with, and
 * then what is written now.
 */
export async function recordedCommandLine(
  definition: CommandDefinition,
  args: readonly string[],
  options: OptionValues,
): Promise<RecordedRun> {
  const written = process.argv.slice(2);
  const directory = options.dir as string | undefined;
  if (options.force && directory === undefined) throw usage('--force belongs to --dir DIR');
  if (options.force && options.resume) throw usage('--force starts over and --resume goes on; give one of them');
  if (args.length > 0 || directory === undefined || !options.resume) return { args, options, commandLine: written };
  const { record } = await RunFolder.open(directory);
  if (record.command !== definition.name) {
    throw usage(
      `${directory} holds a run of ${record.command}: listwise ${record.command} --dir ${directory} --resume`,
    );
  }
  if (record.workingDirectory !== process.cwd()) {
    throw usage(`the run was started in ${record.workingDirectory}; resume it there, or name its data again`);
  }
  const words = [...record.commandLine.slice(1).filter(word => word !== '--force'), ...written.slice(1)];
  const [again, settled] = parseWords(definition, words);
  return { args: again, options: settled, commandLine: [definition.name, ...words] };
}

/**
 * Does the work with its recording, if a folder is asked for, and settles how the run ended; results are printed after
 * that. `settled` are the options as they were in the end, defaults included.
 */
export async function recorded<T>(
  { options, commandLine }: RecordedRun,
  settled: { readonly seed: number; readonly options: Readonly<Record<string, unknown>> },
  work: (run: RunRecording | undefined) => Promise<T>,
): Promise<T> {
  if (options.dir === undefined) return work(undefined);
  const run = await RunFolder.create(
    options.dir as string,
    {
      command: commandLine[0]!,
      commandLine: [...commandLine],
      workingDirectory: process.cwd(),
      options: JSON.parse(JSON.stringify(settled.options)),
      seed: settled.seed,
      versions: { listwise: version, node: process.versions.node },
    },
    { resume: options.resume === true, force: options.force === true },
  );
  const callOff = watchSignals({ told: () => run.stopping(), ending: () => run.endNow('stopped') });
  try {
    const result = await work(run);
    await run.end(interruptCode() === undefined ? 'finished' : 'stopped');
    return result;
  } catch (error) {
    if (interruptCode() !== undefined) await run.end('stopped');
    else await run.end('failed', failure(error));
    throw error;
  } finally {
    callOff();
  }
}

function failure(error: unknown): { code: string; message: string } {
  const message = error instanceof Error ? error.message : String(error);
  return { code: error instanceof ListwiseError ? error.code : 'internal', message };
}
