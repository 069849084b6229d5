/** `run.json`: what was run, with what, and how it ended. The schema is also exported as a JSON schema. */
import { z } from 'zod';
import { ListwiseError } from '../errors.js';
import { KEPT_FILES, runPath } from './layout.js';
import { textOf } from './text-of.js';

export const RUN_FORMAT = 'listwise/run/1';

const count = z.int().min(0);

const runData = z.object({
  role: z.string().describe('What the data was used for: train, validate, test; data where it is cut into folds.'),
  file: z.string().describe('As it was named: a file, a directory, a glob or -.'),
  fingerprint: z.string().describe('Of what was read, not of the files: equal for equal data.'),
  queries: count,
  documents: count,
  features: count,
});

const runRecord = z.object({
  format: z.literal(RUN_FORMAT),
  command: z.string().describe('The command that was run: train, cv, tune, reproduce.'),
  commandLine: z.array(z.string()).describe('What was typed after "listwise", word by word.'),
  workingDirectory: z.string().describe('Where it was typed; relative names are relative to it.'),
  options: z.record(z.string(), z.json()).describe('Options as they were in the end, defaults included.'),
  seed: count,
  files: z
    .array(z.enum(KEPT_FILES))
    .optional()
    .describe('What the command makes: nothing else is taken away by force. Left out, it may be any.'),
  versions: z.object({ listwise: z.string(), node: z.string() }),
  data: z.array(runData).describe('Empty until the data has been read.'),
  status: z
    .enum(['running', 'finished', 'stopped', 'failed'])
    .describe('stopped: by a signal. A run that was killed stays "running": see heartbeat.'),
  process: z.object({ pid: count, host: z.string() }).describe('Who writes, or wrote last.'),
  times: z
    .object({ started: z.iso.datetime(), resumed: z.array(z.iso.datetime()), ended: z.iso.datetime().optional() })
    .describe('In UTC. "ended" is absent as long as something is still to be written.'),
  error: z
    .object({ code: z.string(), message: z.string() })
    .optional()
    .describe('Why it failed; the code is one of docs/errors.md, or "internal".'),
});

/**
 * What run.json holds.
 *
 * @example
 * import { RunFolder, type RunRecord } from 'listwise/runs';
 *
 * const { seed, versions }: RunRecord = (await RunFolder.open('runs/1')).record;
 */
export type RunRecord = Readonly<z.output<typeof runRecord>>;
/**
 * How a run stands, as its record says.
 *
 * @example
 * import type { RunStatus } from 'listwise/runs';
 *
 * const status: RunStatus = 'finished';
 */
export type RunStatus = RunRecord['status'];

/**
 * The JSON schema of `run.json`.
 *
 * @example
 * import { runSchema } from 'listwise/runs';
 *
 * console.log(JSON.stringify(runSchema()));
 */
export function runSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(runRecord, { io: 'input' }), title: 'run.json of a listwise run folder' };
}

/** The record of a folder, checked; undefined where the folder has none. */
export async function readRecord(directory: string): Promise<RunRecord | undefined> {
  const file = runPath(directory, 'record');
  const text = textOf(file);
  return text === undefined ? undefined : parseRecord(text, file);
}

export function parseRecord(text: string, file: string): RunRecord {
  const fail = (what: string): never => {
    throw new ListwiseError('run-invalid', what, { file });
  };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return fail('not the record of a run: it is no JSON');
  }
  const { success, data, error } = runRecord.safeParse(json);
  if (success) return data;
  const { path, message } = error.issues[0]!;
  return fail(`not the record of a run (${RUN_FORMAT}): ${path.length > 0 ? `"${path.join('.')}": ` : ''}${message}`);
}
