/** The recording around the work of commands that keep a run folder. */
import { few, ListwiseError, shellWord } from '../errors.js';
import { saveModel } from '../models/model-file.js';
import type { Ranker } from '../models/ranker.js';
import type { KeptFile } from '../runs/layout.js';
import type { RunRecording } from '../runs/recording.js';
import { RunFolder } from '../runs/run-folder.js';
import { version } from '../version.js';
import type { Arguments } from './command/argument.js';
import type { CommandLine } from './command/command.js';
import { type Options, usage } from './command/option.js';
import { inFlags } from './flags.js';
import { DEFAULT_OUT } from './options/run-folder.js';
import type { Output } from './output.js';

/** What a command line says of its run folder. */
interface FolderOptions {
  readonly dir: string | undefined;
  readonly force: boolean;
  readonly resume?: boolean;
}

/** What to run. `--dir DIR --resume` without arguments takes the run's command line, then what is written now. */
export async function recordedLine<A extends Arguments, O extends Options>(
  line: CommandLine<A, O> & { readonly options: FolderOptions },
): Promise<CommandLine<A, O>> {
  const { dir, resume } = line.options;
  if (line.inputs.length > 0 || dir === undefined || !resume) return line;
  const [name, ...written] = line.words;
  const { record } = await RunFolder.open(dir);
  if (record.command !== name) {
    throw usage(`${dir} holds a run of ${record.command}: listwise ${record.command} --dir ${dir} --resume`);
  }
  if (record.workingDirectory !== process.cwd()) {
    throw usage(`the run was started in ${record.workingDirectory}; resume it there, or name its data again`);
  }
  const { others, modules } = withoutModules(record.commandLine.slice(1).filter(word => word !== '--force'));
  // Modules are code: those that only the folder names are not run.
  if (modules.length > 0 && line.written.load === undefined) {
    const flags = modules.flatMap(module => ['--load', module]);
    const again = ['listwise', ...line.words, ...flags].map(shellWord).join(' ');
    throw usage(
      `the run loads code (${few(modules)}), which a folder alone does not start; where you trust it: ${again}`,
    );
  }
  return line.again([...others, ...written]);
}

function withoutModules(words: readonly string[]): { readonly others: string[]; readonly modules: string[] } {
  const others: string[] = [];
  const modules: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (word === '--load') modules.push(words[++at] ?? '');
    else if (word.startsWith('--load=')) modules.push(word.slice('--load='.length));
    else others.push(word);
  }
  return { others, modules };
}

/**
 * Does the work with its recording, if a folder is asked for, and settles how the run ended; results are printed after
 * that. `settled` are the options as they were in the end, defaults included; `makes` is what is written beside what
 * all commands write.
 */
export async function recorded<T>(
  { options: { dir, resume = false, force }, words }: { options: FolderOptions; words: readonly string[] },
  settled: {
    readonly seed: number;
    readonly options: Readonly<Record<string, unknown>>;
    readonly makes: readonly KeptFile[];
  },
  work: (run: RunRecording | undefined) => Promise<T>,
  { signals }: Output,
): Promise<T> {
  if (dir === undefined) return work(undefined);
  const run = await RunFolder.create(
    dir,
    {
      command: words[0]!,
      commandLine: [...words],
      workingDirectory: process.cwd(),
      options: JSON.parse(JSON.stringify(settled.options)),
      seed: settled.seed,
      files: ['log', 'results', 'report', ...settled.makes],
      versions: { listwise: version, node: process.versions.node },
    },
    { resume, force },
  );
  const callOff = signals.watch({ asked: () => run.stopping(), ending: () => run.endNow('stopped') });
  try {
    const result = await work(run);
    await run.end(signals.code === undefined ? 'finished' : 'stopped');
    return result;
  } catch (error) {
    const ended = signals.code === undefined ? run.end('failed', failure(error)) : run.end('stopped');
    await ended.catch(() => {}); // on a full disk both fail: the first failure is the one to be seen
    throw error;
  } finally {
    callOff();
  }
}

/** The model where --out says, and in the run folder in any case; gives the file that --out means. */
export async function saveRecorded(
  model: Ranker,
  out: string | undefined,
  run: RunRecording | undefined,
): Promise<string> {
  const kept = run?.path('model');
  const target = out ?? kept ?? DEFAULT_OUT;
  await saveModel(target, model);
  if (kept !== undefined && kept !== target) await saveModel(kept, model);
  return target;
}

function failure(error: unknown): { code: string; message: string } {
  const message = inFlags(error instanceof Error ? error.message : String(error));
  return { code: error instanceof ListwiseError ? error.code : 'internal', message };
}
