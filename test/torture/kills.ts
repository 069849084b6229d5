/**
 * kill -9, at any moment and at chosen system calls, and again while what was killed goes on: outputs are old or new,
 * and in the end the same comes of it.
 */
import { equal } from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '#listwise/numeric/random.js';
import { start } from '../cli/run.js';
import type { Area } from './area.js';
import { oneCall, straced, withoutStrace } from './system-calls.js';
import { Scene, type Victim } from './victims.js';

/** System calls of which one is the last. */
const CALLS = [
  'rename',
  'unlink',
  'fsync',
  'fdatasync',
  'mkdir',
  'ftruncate',
  'chmod',
  'pwrite64',
  'write',
  'openat',
] as const;
/** A command is killed so often at most before it goes on to its end. */
const MOST_KILLS = 4;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

type Launch = (victim: Victim, args: readonly string[], cwd: string) => Promise<Ended>;

async function killedAgain(scene: Scene, random: Random, launch: Launch): Promise<number> {
  const { victim, now } = scene.begin(random);
  const most = 1 + random.below(MOST_KILLS);
  for (let kills = 0; kills < most; kills++) {
    const { code, signal, stderr } = await launch(victim, kills === 0 ? victim.args : scene.again(victim, now), now);
    if (signal !== 'SIGKILL') {
      equal(code, 0, stderr);
      scene.done(victim, now);
      return kills; // it was too quick
    }
    scene.intact(victim, now);
  }
  await scene.goesOn(victim, now);
  return most;
}

export const kills: readonly Area[] = [
  {
    name: 'kill at any moment',
    unit: 'kill',
    share: 9,
    batch: 8,
    async open(folder, work, shared) {
      const scene = await Scene.open(folder, shared);
      await work(random =>
        killedAgain(scene, random, async (victim, args, cwd) => {
          const child = start(args, { cwd });
          const closed = once(child, 'close');
          child.stdout.resume();
          const said = text(child.stderr);
          await Promise.race([closed, sleep(scene.know(victim).takes * random.uniform())]);
          child.kill('SIGKILL');
          const [code, signal] = await closed;
          return { code, signal, stderr: await said };
        }),
      );
    },
  },
  {
    name: 'kill at a system call',
    unit: 'kill',
    share: 9,
    batch: 8,
    missing: withoutStrace,
    async open(folder, work, shared) {
      const scene = await Scene.open(folder, shared);
      await work(random =>
        killedAgain(scene, random, async (victim, args, cwd) => {
          const [call, when] = oneCall(scene, victim, CALLS, random);
          return straced(`${call}:signal=SIGKILL:when=${when}`, args, cwd);
        }),
      );
    },
  },
];
