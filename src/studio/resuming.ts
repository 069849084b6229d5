/** Which runs go on from here: in a process of their own, as they were started. */
import { existsSync } from 'node:fs';
import type { RunFolder } from '../runs/run-folder.js';

/** Why a run cannot; undefined where it can. `commands` are those that go on with runs. */
export function whyNotResumed(run: RunFolder, commands: readonly string[]): string | undefined {
  const { command, commandLine, workingDirectory } = run.record;
  if (run.state === 'running' || run.state === 'finished') return `the run is ${run.state}`;
  if (!commands.includes(command)) return `${command} cannot go on with a run from here`;
  if (!run.canResume) return 'the run left no checkpoint to go on from';
  // Modules are code, which a folder alone does not start.
  if (commandLine.some(word => /^--load(=|$)/.test(word))) return 'the run loads code: resume it on the command line';
  return existsSync(workingDirectory) ? undefined : 'the folder that the run was started in is gone';
}
