/** What a checkpoint is of: all that decides the model, part by part, so that no run goes on with another's state. */
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Dataset } from '../data/dataset.js';
import { fingerprint } from '../data/fingerprint.js';
import { partsOf, smallPartsOf } from '../data/parts.js';
import { selectQueries } from '../data/split.js';
import { digestOf, type Identity } from '../io/identity.js';
import { unreadable } from '../io/unreadable.js';
import { gatherValues } from '../ranks/gathered.js';
import type { Transport } from '../ranks/transport.js';
import { version } from '../version.js';
import type { TrainContext, Trainer, TrainJob } from './trainer.js';

/**
 * Options that may differ between a run and the run that goes on with it, for every trainer: how many iterations there
 * are (not fewer than are done) and how long to wait for a better one. So may the number of threads, and what is only
 * logged.
 */
function mayChange({ iterations }: Trainer): readonly string[] {
  return [...(iterations === undefined ? [] : [iterations]), 'patience'];
}

export async function jobIdentity(
  trainer: Trainer,
  job: TrainJob,
  { seed, ranks }: Pick<TrainContext, 'seed' | 'ranks'>,
): Promise<Identity> {
  const { data, validate, objective, select, from } = job;
  const free = mayChange(trainer);
  return {
    'version of listwise': version,
    'kind of model': trainer.name,
    objective: objective?.spec,
    'measure to select by': select.spec,
    seed,
    ...Object.fromEntries(Object.entries(job.options).filter(([key]) => !free.includes(key))),
    'training data': dataDigest(data, ranks),
    'validation data': validate && dataDigest(validate, ranks, smallPartsOf),
    'iteration to refit to': job.refit && (job.refit.iterations ?? 'all'),
    'model to go on from': from && digestOf({ features: from.featureNames, model: from.toJSON() }),
    ...(await moduleDigests(job.modules)),
  };
}

/** Part by part, so that it does not matter which rank has which. */
function dataDigest(data: Dataset, ranks: Transport, cut = partsOf): string {
  const parts = cut(data).map(({ firstQuery, lastQuery }) => {
    const part = selectQueries(
      data,
      Array.from({ length: lastQuery - firstQuery }, (_, i) => firstQuery + i),
    );
    // Documents without ids go by their place in the input where scores tie.
    return [fingerprint(part), createHash('sha256').update(part.inputRows!).digest('hex')];
  });
  return digestOf(gatherValues(ranks, parts).flat());
}

/**
 * What a module may name by a path or an address, whoever loads it: `import`, `require` by any name, a file that is
 * read. A package by its name is not looked into.
 */
const NAMED = /(['"`])((?:\.{1,2}\/|\/|file:)[^'"`\n]+)\1/g;
/** Beside `import.meta.url` any name is relative to the module. */
const BESIDE = /\bURL\(\s*(['"`])([^'"`\n]+)\1\s*,\s*import\.meta\.url/g;
/** What `require` puts behind a name. */
const ENDS = ['', '.js', '.cjs', '.mjs', '.json', '/index.js'];

/** The files that a name may stand for: as an address, without what follows a question mark, and as a path. */
function filesNamed(name: string, by: string): string[] {
  const paths = [resolve(dirname(by), name)];
  try {
    paths.push(fileURLToPath(new URL(name, pathToFileURL(by))));
  } catch {} // no address
  return paths.flatMap(path => ENDS.map(end => path + end));
}

/** Of what modules of the user's hold, and the files that they name, wherever they are. */
export async function moduleDigests(files: readonly string[]): Promise<Identity> {
  const digest = async (file: string) => {
    const texts = new Map<string, Buffer>();
    texts.set(
      resolve(file),
      await readFile(file).catch(error => {
        throw unreadable(file, error);
      }),
    );
    // What is added is gone over, too.
    for (const [path, text] of texts) {
      const code = text.toString('utf8');
      const names = [NAMED, BESIDE].flatMap(form => Array.from(code.matchAll(form), ([, , name]) => name!));
      for (const named of names.flatMap(name => filesNamed(name, path))) {
        // Only the module's loader knows for sure what is an import: what is no file is none.
        if (texts.has(named) || !(await isFile(named))) continue;
        const found = await readFile(named).catch(() => undefined);
        if (found !== undefined) texts.set(named, found);
      }
    }
    const hash = createHash('sha256');
    for (const text of texts.values()) hash.update(createHash('sha256').update(text).digest());
    return hash.digest('hex');
  };
  const digests = await Promise.all(files.map(digest));
  return Object.fromEntries(digests.map((text, i) => [`module${i === 0 ? '' : ` ${i + 1}`}`, text]));
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    found => found.isFile(),
    () => false,
  );
}
