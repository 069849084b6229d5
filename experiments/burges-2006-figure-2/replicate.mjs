// The 10,000-query cases of run.mjs once more, settings as they are, on data sets that played no part in choosing them.
// node experiments/burges-2006-figure-2/replicate.mjs writes replication.json; run.mjs's table stays as it is.
import { readFileSync, writeFileSync } from 'node:fs';
import { run } from './run.mjs';

const SEEDS = [101, 102, 103, 104, 105, 106];
const config = JSON.parse(readFileSync(new URL('config.json', import.meta.url), 'utf8')).small;
const cases = config.cases.filter(({ training, first }) => training === 10_000 && first === undefined);

const runs = [];
for (const seed of SEEDS) {
  const result = await run({ config: { ...config, cases, dataSets: 1 }, seed, note: text => console.error(text) });
  for (const { model, methods, comparison } of result.cases) {
    const test = Object.fromEntries(methods.map(({ name, ndcg }) => [name, ndcg.map(({ mean }) => mean)]));
    runs.push({ model, seed, test, comparison });
  }
}
writeFileSync(new URL('replication.json', import.meta.url), `${JSON.stringify({ seeds: SEEDS, runs }, null, 2)}\n`);
