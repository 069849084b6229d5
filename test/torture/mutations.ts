/** Files that were damaged: a coded error, or what the file said before; never another result, a stack or a hang. */
import { match } from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '#listwise/numeric/random.js';
import { readMutated } from '../data/readers/svmlight-mutated.js';
import { damagedCsv, damagedDatabase, damagedJsonl, damagedParquet } from '../data/readers/tables/damaged-tables.js';
import { modelFiles, readDamagedModel } from '../interop/damaged-models.js';
import { damaged } from '../mutations.js';
import { GoodCheckpoint, malformed, signed, trainers } from '../training/damaged-checkpoints.js';
import { malformedJournal, readJournal, writtenJournal } from '../tuning/damaged-journals.js';
import type { Area } from './area.js';

const number = (random: Random) => random.below(2 ** 31);
const oneOf = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)]!;

async function goodCheckpoints(folder: string): Promise<GoodCheckpoint[]> {
  return Promise.all(
    trainers.map(trainer => {
      const directory = join(folder, trainer[0].replaceAll(' ', '-'));
      mkdirSync(directory, { recursive: true });
      return new GoodCheckpoint(directory, trainer).write();
    }),
  );
}

const mutation = { unit: 'mutation', share: 1, batch: 200 } as const;

export const mutations: readonly Area[] = [
  {
    ...mutation,
    name: 'checkpoints',
    async open(folder, work) {
      const good = await goodCheckpoints(folder);
      await work(async random => {
        const one = oneOf(random, good);
        match(await one.goOn(damaged(one.text, number(random))), /same|refused/);
        return 1;
      });
    },
  },
  {
    ...mutation,
    name: 'checkpoints signed again',
    async open(folder, work) {
      const good = await goodCheckpoints(folder);
      await work(async random => {
        const one = oneOf(random, good);
        // Other numbers are another state, whose model is its own; no state at all is refused.
        const text = random.below(2) === 0 ? undefined : malformed(one.text, random);
        if (text === undefined) await one.goOn(signed(damaged(one.text, number(random))));
        else match(await one.goOn(text), /same|refused/);
        return 1;
      });
    },
  },
  {
    ...mutation,
    name: 'journals',
    async open(folder, work) {
      const file = await writtenJournal(folder);
      const good = readFileSync(file, 'utf8');
      await work(async random => {
        const text = random.below(2) === 0 ? malformedJournal(good, random) : damaged(good, number(random));
        await readJournal(file, text);
        return 1;
      });
    },
  },
  {
    ...mutation,
    name: 'models',
    batch: 2000,
    async open(_folder, work) {
      await work(async random => {
        readDamagedModel(random, oneOf(random, modelFiles)[1]);
        return 1;
      });
    },
  },
  {
    ...mutation,
    name: 'SVMlight',
    batch: 2000,
    async open(folder, work) {
      await work(async random => {
        const file = random.below(5) === 0 ? folder : undefined;
        await readMutated(random, random.below(240) === 0 ? 2 : 1, file);
        return 1;
      });
    },
  },
  ...[['CSV', damagedCsv] as const, ['JSON lines', damagedJsonl] as const].map(
    ([name, damagedTable]): Area => ({
      ...mutation,
      name,
      async open(_folder, work) {
        const read = damagedTable();
        await work(async random => {
          await read(random);
          return 1;
        });
      },
    }),
  ),
  {
    ...mutation,
    name: 'Parquet',
    async open(folder, work) {
      await damagedParquet(folder, this.batch, async read => {
        await work(async random => {
          await read(random);
          return 1;
        });
      });
    },
  },
  {
    ...mutation,
    name: 'databases',
    async open(folder, work) {
      const read = await damagedDatabase(folder);
      await work(async random => {
        await read(random);
        return 1;
      });
    },
  },
];
