/** Commands with something happening at one of their system calls, by strace. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Random } from '#listwise/numeric/random.js';
import { main, type Outcome } from '../cli/run.js';
import type { Scene, Victim } from './victims.js';

export const withoutStrace = () =>
  spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0 ? undefined : 'no strace, or it may not trace';

export interface Straced extends Outcome {
  readonly signal: NodeJS.Signals | null;
}

/** Runs the command; `inject` is what happens, as strace has it. */
export function straced(inject: string, args: readonly string[], cwd: string): Straced {
  const call = inject.slice(0, inject.indexOf(':'));
  return strace(['-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${inject}`], args, cwd);
}

function strace(options: readonly string[], args: readonly string[], cwd: string): Straced {
  const words = ['-f', '-qq', ...options, process.execPath, main, ...args];
  const env = { ...process.env, UV_THREADPOOL_SIZE: '1' };
  const { status, signal, stderr } = spawnSync('strace', words, { cwd, encoding: 'utf8', env });
  return { code: status, signal, stderr, stdout: '' };
}

/** A call that the command makes, and which of them: strace counts those of each thread for itself. */
export function oneCall(
  scene: Scene,
  victim: Victim,
  names: readonly string[],
  random: Random,
): readonly [name: string, when: number] {
  const counts = scene.remember(`calls ${victim.name} ${names.join()}`, folder => {
    const trace = `${folder}/trace`;
    strace(['-o', trace, '-e', `trace=${names.join()}`], victim.args, folder);
    return mostOfAThread(readFileSync(trace, 'utf8'));
  });
  const made = names.filter(name => counts[name] !== undefined);
  const name = made[random.below(made.length)]!;
  return [name, 1 + random.below(counts[name]!)];
}

function mostOfAThread(trace: string): Record<string, number> {
  const counts: Record<string, number> = {};
  const most: Record<string, number> = {};
  for (const [, thread, name] of trace.matchAll(/^(\d+) +(\w+)\(/gm)) {
    const count = (counts[`${thread} ${name}`] ?? 0) + 1;
    counts[`${thread} ${name}`] = count;
    most[name!] = Math.max(most[name!] ?? 0, count);
  }
  return most;
}
