/**
 * Equal to trec_eval's own outputs, to the printed digit: every line whose measure we have, by trec_eval's name, under
 * the trec_eval preset. What we do not have is listed below by name, so that nothing is left out unseen.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { joinRun } from '#listwise/data/readers/trec/join.js';
import { readQrels } from '#listwise/data/readers/trec/qrels.js';
import { readRun } from '#listwise/data/readers/trec/run.js';
import { ListwiseError } from '#listwise/errors.js';
import { fileInput } from '#listwise/io/inputs.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { presets } from '#listwise/measures/presets.js';

const folder = join(import.meta.dirname, '../../../shared/data/trec_eval');
const absent = !existsSync(folder);

/** trec_eval's names that we have no measure for: counts, set measures, and measures of a few research papers. */
const UNKNOWN = new Set([
  'runid',
  'num_q',
  'num_ret',
  'num_rel',
  'num_rel_ret',
  'num_nonrel_judged_ret',
  'relstring',
  'relstring_20',
  'infAP',
  'gm_bpref',
  'utility',
  'binG',
  'G',
  'ndcg_rel',
  'Rndcg',
  'rbp_resid',
  'yaap',
  'set_P',
  'set_relative_P',
  'set_map',
  ...[0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2].map(share => `Rprec_mult_${share.toFixed(2)}`),
  ...[5, 10, 15, 20, 30, 100, 200, 500, 1000].map(cut => `relative_P_${cut}`),
  ...[5, 10, 20].map(cut => `unj_${cut}`),
]);

interface Line {
  name: string;
  query: string;
  value: string;
}

function outputOf(file: string): Line[] {
  const text = gunzipSync(readFileSync(join(folder, file))).toString();
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [name, query, value] = line.split('\t');
      return { name: name!.trim(), query: query!, value: value! };
    });
}

async function joined(run: string, qrels: string, complete: boolean): Promise<{ data: Dataset; scores: Float64Array }> {
  return joinRun(
    await readRun(await fileInput(join(folder, run))),
    await readQrels(await fileInput(join(folder, qrels))),
    { complete },
  );
}

const cases = [
  { file: 'out.test.gz', qrels: 'qrels.test.gz', run: 'results.test.gz', lines: 25 },
  { file: 'out.test.a.gz', qrels: 'qrels.test.gz', run: 'results.test.gz', lines: 60 },
  { file: 'out.test.aq.gz', qrels: 'qrels.test.gz', run: 'results.test.gz', lines: 237 },
  { file: 'out.test.aqc.gz', qrels: 'qrels.test.gz', run: 'results.trunc.gz', complete: true, lines: 237 },
  { file: 'out.test.aql.gz', qrels: 'qrels.rel_level.gz', run: 'results.test.gz', rel: 2, lines: 237 },
];

describe.skipIf(absent)(
  `trec_eval's own outputs${absent ? ' (skipped: ../shared/data/trec_eval is absent)' : ''}`,
  () => {
    it.each(cases)('$file', async ({ file, qrels, run, complete = false, rel, lines }) => {
      const { data, scores } = await joined(run, qrels, complete);
      const { parameters, ...rest } = presets.trec_eval;
      const preset = { ...rest, parameters: { ...parameters, ...(rel === undefined ? {} : { rel }) } };
      const measureOf = (name: string) => {
        try {
          return parseMeasure(name, { preset });
        } catch (error) {
          if (error instanceof ListwiseError) return undefined;
          throw error;
        }
      };
      const output = outputOf(file);
      const names = [...new Set(output.map(({ name }) => name))];
      const unknown = names.filter(name => measureOf(name) === undefined);
      expect(unknown.filter(name => !UNKNOWN.has(name))).toEqual([]);

      const results = new Map(
        names.flatMap(name => {
          const measure = measureOf(name);
          if (measure === undefined) return [];
          return [[name, evaluate(data, scores, [measure], { ties: preset.ties })[0]!] as const];
        }),
      );
      const ours: Line[] = [];
      const theirs: Line[] = [];
      for (const line of output) {
        const result = results.get(line.name);
        if (result === undefined) continue;
        const value = line.query === 'all' ? result.mean : result.values[data.queryIds.indexOf(line.query)]!;
        ours.push({ ...line, value: value.toFixed(4) });
        theirs.push(line);
      }
      expect(ours).toEqual(theirs);
      expect(theirs.length).toBeGreaterThanOrEqual(lines);
    });
  },
);
