/** Ranks that die: the others end, outputs are old or new, and one process goes on to the same. */
import { ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { processExists } from '#listwise/io/process-exists.js';
import { main } from '../cli/run.js';
import { start, withoutOpenMpi } from '../ranks/mpirun.js';
import type { Area } from './area.js';
import { Scene, victims } from './victims.js';

const [victim] = victims;

/** Processes that another has started and that are there, by the file system of the system. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap(name => {
    try {
      const text = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'utf8') : '';
      return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]) === parent ? [Number(name)] : [];
    } catch {
      return []; // it has just ended
    }
  });
}

export const ranks: readonly Area[] = [
  {
    name: 'ranks that die',
    unit: 'kill',
    share: 2,
    batch: 3,
    missing: () => (process.platform === 'linux' ? withoutOpenMpi : 'processes are found on Linux only'),
    async open(folder, work, shared) {
      const scene = await Scene.open(folder, shared);
      await work(async random => {
        const { now } = scene.begin(random, victim);
        const count = 2 + random.below(2);
        const { pid, ended } = start(count, [main, ...victim!.args], { cwd: now });
        const over = { yet: false };
        void ended.then(() => (over.yet = true));
        let found: number[] = [];
        while (found.length < count && !over.yet) {
          await sleep(20);
          found = childrenOf(pid);
        }
        await sleep(1.5 * scene.know(victim!).takes * random.uniform());
        const dead = found[random.below(found.length)];
        if (dead === undefined || over.yet) return 0;
        try {
          process.kill(dead, 'SIGKILL');
        } catch {
          return 0; // it has just come to its end
        }
        const { code, stderr } = await ended;
        if (code === 0) return 0;
        for (let waited = 0; waited < 100 && found.some(processExists); waited++) await sleep(100);
        ok(!found.some(processExists), `a rank goes on without the others: ${stderr}`);
        scene.intact(victim!, now);
        await scene.goesOn(victim!, now);
        return 1;
      });
    },
  },
];
