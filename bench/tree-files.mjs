// Files of data that trees are measured on, for each system in the form that it reads.
import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dataOf } from './shapes.mjs';

export const TRAINING_QUERIES = 3000;
export const TEST_QUERIES = 1000;
export const VALIDATION_QUERIES = 1000;
export const DOCUMENTS = 120;

/** Training, validation and test files of a shape and seed, made once and kept. */
export async function dataFiles(folder, shape, seed, forLightgbm) {
  const { writeDataset, selectQueries } = await import('#listwise/data/index.js');
  const parts = { train: TRAINING_QUERIES, validate: VALIDATION_QUERIES, test: TEST_QUERIES };
  const files = Object.fromEntries(
    Object.entries(parts).map(([part, queries]) => [part, join(folder, `${shape}-${queries}-${seed}.${part}.txt`)]),
  );
  if (!existsSync(files.test)) {
    console.error(`writing ${files.train}`);
    const queries = TRAINING_QUERIES + VALIDATION_QUERIES + TEST_QUERIES;
    const data = await dataOf(shape, { queries, documents: DOCUMENTS, seed });
    let first = 0;
    for (const [part, count] of Object.entries(parts)) {
      const numbers = Uint32Array.from({ length: count }, (_, q) => first + q);
      await writeDataset(selectQueries(data, numbers), files[part], { format: 'svmlight' });
      first += count;
    }
  }
  if (forLightgbm) for (const file of Object.values(files)) await withoutQueries(file);
  return files;
}

/** LightGBM takes query sizes from a file beside the data, and no qid. */
async function withoutQueries(file) {
  if (existsSync(`${file}.lgb.query`)) return;
  const out = createWriteStream(`${file}.lgb`);
  const sizes = [];
  let last;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [, label, query, rest] = /^(\S+) qid:(\S+) ?([^#]*)/.exec(line);
    if (query !== last) sizes.push(0);
    last = query;
    sizes[sizes.length - 1]++;
    if (!out.write(`${label} ${rest.trimEnd()}\n`)) await new Promise(resume => out.once('drain', resume));
  }
  await new Promise(resume => out.end(resume));
  const query = createWriteStream(`${file}.lgb.query.tmp`);
  await new Promise(resume => query.end(`${sizes.join('\n')}\n`, resume));
  renameSync(`${file}.lgb.query.tmp`, `${file}.lgb.query`);
}
