/** Disks that fill up and systems that fail: one coded message, outputs old or new, and going on gives the same. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listwise } from '../cli/run.js';
import type { Area } from './area.js';
import { oneCall, straced, withoutStrace } from './system-calls.js';
import { coded, Scene } from './victims.js';

const ERRORS = ['EIO', 'ENOSPC', 'EDQUOT', 'EPERM', 'EROFS'];
/** Only files are touched by these: a failing `write` may be one that Node wakes its own threads with. */
const CALLS = ['rename', 'fsync', 'fdatasync', 'mkdir', 'ftruncate', 'chmod', 'unlink'] as const;

function mount(folder: string, kilobytes: number): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]);
}

function unmount(folder: string): void {
  spawnSync('umount', ['-l', folder]);
}

function withoutMounts(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root may mount';
  const mounts = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
  return mounts ? undefined : 'nothing can be mounted here';
}

export const faults: readonly Area[] = [
  {
    name: 'disk full',
    unit: 'fault',
    share: 2,
    batch: 5,
    missing: withoutMounts,
    clear: folder => unmount(join(folder, 'disk')),
    async open(folder, work, shared) {
      const scene = await Scene.open(folder, shared);
      const disk = join(folder, 'disk');
      await work(async random => {
        const { victim, now } = scene.begin(random);
        unmount(disk);
        mount(disk, 8192);
        try {
          cpSync(now, disk, { recursive: true });
          const free = Number(execFileSync('df', ['--output=avail', '-k', disk], { encoding: 'utf8' }).split('\n')[1]);
          const left = 4 * random.below(random.below(2) === 0 ? 12 : 120);
          writeFileSync(join(disk, 'fill'), Buffer.alloc(Math.max(0, free - left) << 10));
          const ended = listwise(victim.args, { cwd: disk });
          coded(ended);
          scene.intact(victim, disk);
          if (ended.code !== 0) scene.ended(victim, disk);
          rmSync(join(disk, 'fill'));
          if (ended.code !== 0) await scene.goesOn(victim, disk);
          return ended.code === 0 ? 0 : 1;
        } finally {
          unmount(disk);
        }
      });
    },
  },
  {
    name: 'system calls that fail',
    unit: 'fault',
    share: 2,
    batch: 5,
    missing: withoutStrace,
    async open(folder, work, shared) {
      const scene = await Scene.open(folder, shared);
      await work(async random => {
        const { victim, now } = scene.begin(random);
        const [call, when] = oneCall(scene, victim, CALLS, random);
        const error = ERRORS[random.below(ERRORS.length)]!;
        const ended = straced(`${call}:error=${error}:when=${when}`, victim.args, now);
        coded(ended);
        scene.intact(victim, now);
        if (ended.code === 0) return 0;
        await scene.goesOn(victim, now);
        return 1;
      });
    },
  },
];
