// Trains every case on the ranks that there are; rank 0 prints the digest of each model.
//   node models.mjs THREADS CASE…
import { createHash } from 'node:crypto';
import { printModel } from '#listwise/models/model-file.js';
import { launchedBy } from '#listwise/ranks/launcher.js';
import { joinRanks } from '#listwise/ranks/mpi.js';
import { alone } from '#listwise/ranks/transport.js';
import { costs } from '#listwise/threads/worthwhile.js';
import { settleSettings, trainSettled } from '#listwise/training/train-settled.js';
import { cases, hostCases } from './cases.mjs';
import { dataOf, partOf } from './data.mjs';

const launched = launchedBy(process.env);
const ranks = launched === undefined ? alone : await joinRanks(launched);
const [threads, ...asked] = process.argv.slice(2);
// Threads are started at once.
costs.start = 0;

const named = asked.length > 0 ? { ...cases, ...hostCases } : cases;
for (const [name, { weights = false, zeros = 0, queries = 1100, validated = 200, ...settings }] of Object.entries(
  named,
)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const settled = settleSettings({ seed: 3, threads: Number(threads), ...settings });
  const data = dataOf(queries, 1, { weights, zeros });
  const { model, log, best } = await trainSettled({
    ...settled,
    data: partOf(data, ranks),
    ...(validated > 0 && { validate: partOf(dataOf(validated, 2, { weights, zeros }, data.description), ranks) }),
    ranks,
  });
  const digest = createHash('sha256').update(printModel(model)).digest('hex');
  if (ranks.rank === 0) console.log(JSON.stringify({ name, digest, iterations: log.length, value: best.values[0] }));
}
ranks.barrier();
ranks.close();
