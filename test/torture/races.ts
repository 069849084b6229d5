/** Two writers at once: one is in, the other is refused, and the result is the one's. */
import { deepStrictEqual, equal, ok } from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { loadModel } from '#listwise/models/model-file.js';
import { start } from '../cli/run.js';
import { releaseTaker, says, taker } from '../io/lock-taker.js';
import type { Area } from './area.js';
import { coded, Scene } from './victims.js';

const train = ['train', 'data.txt', '--model', 'linear', '--set', 'epochs=40', '--set', 'patience=0', '--quiet'];

export const races: readonly Area[] = [
  {
    name: 'two that take a lock',
    unit: 'race',
    share: 1,
    batch: 8,
    async open(folder, work) {
      let number = 0;
      await work(async random => {
        const directory = join(folder, `locked-${number++}`);
        const children = [taker(directory), taker(directory)];
        await Promise.all(children.map(says));
        const at = Date.now() + 60;
        for (const child of children) child.stdin!.write(`${at + random.below(3)}\n`);
        const said = await Promise.all(children.map(says));
        await Promise.all(children.map(releaseTaker));
        rmSync(directory, { recursive: true, force: true });
        deepStrictEqual(said.sort(), ['in', 'run-exists']);
        return 1;
      });
    },
  },
  {
    name: 'two commands in one folder',
    unit: 'race',
    share: 1,
    batch: 5,
    async open(folder, work, shared) {
      const scene = await Scene.open(folder, shared);
      await work(async random => {
        const { now } = scene.begin(random);
        mkdirSync(join(now, 'shared'));
        const run = random.below(2) === 0;
        const place = (seed: number) =>
          run ? ['--dir', 'shared'] : ['--checkpoint', 'shared', '--out', `shared/model-${seed}.json`];
        const ended = await Promise.all(
          [1, 2].map(async seed => {
            await sleep(random.below(60));
            const child = start([...train, '--seed', String(seed), ...place(seed)], { cwd: now });
            child.stdout.resume();
            const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
            return { code: Number(code), stderr, stdout: '', seed };
          }),
        );
        for (const one of ended) coded(one);
        const winners = ended.filter(({ code }) => code === 0);
        ok(winners.length > 0, 'nobody was in');
        // One after the other, both may keep their checkpoints in a folder, not both their run.
        if (run) equal(winners.length, 1, 'both were in');
        for (const { seed } of winners) {
          await loadModel(join(now, run ? 'shared/model.json' : `shared/model-${seed}.json`));
        }
        return winners.length === 1 ? 1 : 0;
      });
    },
  },
];
