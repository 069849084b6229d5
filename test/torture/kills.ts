/** kill -9, at any moment and at chosen system calls: outputs are old or new, and going on gives the same. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { main, start } from '../cli/run.js';
import type { Area } from './area.js';
import { anyVictim, Scene } from './victims.js';

/** System calls of which one is the last, and how many of them a command makes about. */
const CALLS: readonly (readonly [name: string, most: number])[] = [
  ['rename', 12],
  ['unlink', 12],
  ['fsync', 20],
  ['fdatasync', 16],
  ['mkdir', 4],
  ['ftruncate', 4],
  ['chmod', 3],
  ['pwrite64', 12],
  ['write', 300],
  ['openat', 300],
];

export const withoutStrace = () =>
  spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0 ? undefined : 'no strace, or it may not trace';

export const kills: readonly Area[] = [
  {
    name: 'kill at any moment',
    unit: 'kill',
    share: 5,
    batch: 6,
    async open(folder, work) {
      const scene = await Scene.open(folder);
      await work(async random => {
        const victim = anyVictim(random);
        const { takes } = scene.know(victim);
        const now = scene.fresh();
        const child = start(victim.args, { cwd: now });
        const ended = once(child, 'close');
        child.stdout.resume();
        child.stderr.resume();
        await sleep(takes * 1.05 * random.uniform());
        child.kill('SIGKILL');
        const [code] = await ended;
        if (code !== null) return 'passed over';
        scene.intact(victim, now);
        await scene.goesOn(victim, now);
        return 'tried';
      });
    },
  },
  {
    name: 'kill at a system call',
    unit: 'kill',
    share: 5,
    batch: 6,
    missing: withoutStrace,
    async open(folder, work) {
      const scene = await Scene.open(folder);
      await work(async random => {
        const victim = anyVictim(random);
        scene.know(victim);
        const now = scene.fresh();
        const [call, most] = CALLS[random.below(CALLS.length)]!;
        const inject = `${call}:signal=SIGKILL:when=${1 + random.below(most)}`;
        const { signal } = straced(inject, victim.args, now);
        if (signal !== 'SIGKILL') return 'passed over';
        scene.intact(victim, now);
        await scene.goesOn(victim, now);
        return 'tried';
      });
    },
  },
];

/** Runs the command, with something happening at its system calls. */
export function straced(inject: string, args: readonly string[], cwd: string) {
  const call = inject.slice(0, inject.indexOf(':'));
  const trace = ['-f', '-qq', '-o', '/dev/null', '-e', `trace=${call}`, '-e', `inject=${inject}`];
  const { status, signal, stderr } = spawnSync('strace', [...trace, process.execPath, main, ...args], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  return { code: status, signal, stderr, stdout: '' };
}
