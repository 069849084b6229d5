// Trains some models, going on from checkpoints where there are such; rank 0 prints the digest of each.
//   node resume.mjs ITERATIONS [DIRECTORY]
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { printModel } from '#listwise/models/model-file.js';
import { launchedBy } from '#listwise/ranks/launcher.js';
import { joinRanks } from '#listwise/ranks/mpi.js';
import { alone } from '#listwise/ranks/transport.js';
import { trainers } from '#listwise/training/all.js';
import { settleSettings, trainSettled } from '#listwise/training/train-settled.js';
import { dataOf, partOf } from './data.mjs';

const [iterations, directory] = process.argv.slice(2);
const launched = launchedBy(process.env);
const ranks = launched === undefined ? alone : await joinRanks(launched);
const data = dataOf(140, 1);
const validate = dataOf(30, 2, {}, data.description);

for (const trainer of Object.values(trainers)) {
  const { name: model } = trainer;
  const options = { [trainer.iterations]: Number(iterations) };
  const notes = [];
  const trained = await trainSettled({
    ...settleSettings({ model, options, seed: 3, threads: 1 }),
    data: partOf(data, ranks),
    validate: partOf(validate, ranks),
    ranks,
    ...(directory && { checkpoint: { directory: join(directory, model), resume: true } }),
    note: text => notes.push(text),
  });
  const digest = createHash('sha256').update(printModel(trained.model)).digest('hex');
  const wentOn = notes.some(text => /^going on after/.test(text));
  if (ranks.rank === 0) console.log(JSON.stringify({ model, digest, iterations: trained.iterations, wentOn }));
}
ranks.barrier();
ranks.close();
