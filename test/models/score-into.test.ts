/** Scoring as data is read gives what scoring of the whole gives, whatever the batches. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { Batches, type BatchSize } from '#listwise/data/read/batches.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import type { RowSink } from '#listwise/data/readers/reader.js';
import { readSvmlight, streamSvmlight } from '#listwise/data/readers/svmlight/svmlight.js';
import { type ScoreFormatName, scoreFormats, writeScores } from '#listwise/data/writers/score-file.js';
import { ScoreWriter } from '#listwise/data/writers/score-writer.js';
import { writeDataset } from '#listwise/data/writers/write-dataset.js';
import { memoryInput } from '#listwise/io/inputs.js';
import { BatchScorer } from '#listwise/models/batch-scorer.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { scoreData } from '#listwise/models/ranker.js';
import { scoreInto } from '#listwise/models/score-into.js';
import type { ScoringOptions } from '#listwise/models/scoring-threads.js';
import { temporaryDirectory } from '../temporary.js';
import { randomEnsemble } from './random-trees.js';

const layouts = Object.keys(scoreFormats) as ScoreFormatName[];
const directory = temporaryDirectory();

/** A sink that keeps what it is given. */
function kept() {
  const texts: string[] = [];
  return { write: async (text: string | Uint8Array) => void texts.push(String(text)), text: () => texts.join('') };
}

const linear = new LinearModel({ featureNames: ['1', '2', '3', '4'], weights: [1, 0.1, -3, 0.7], bias: 0.3 });

interface Row {
  query: string;
  features: readonly number[];
  named: boolean;
}

const textOf = (rows: readonly Row[]) =>
  rows
    .map(({ query, features, named }, i) => {
      const pairs = features.map((value, f) => `${f + 1}:${value}`).join(' ');
      return `${i % 3} qid:${query} ${pairs}${named ? ` # docid = d${i}` : ''}\n`;
    })
    .join('');

const row: fc.Arbitrary<Row> = fc.record({
  query: fc.constantFrom('a', 'b', 'c'),
  features: fc.array(fc.integer({ min: -3, max: 3 }), { maxLength: 4 }),
  named: fc.boolean(),
});
const all = { features: [1, 1, 1, 1], named: true };

/** Scores of a text that is read in chunks of some bytes. */
async function inBatches(
  text: string,
  as: ScoreFormatName,
  rows: number,
  chunkBytes: number,
  options: ScoringOptions = {},
): Promise<string> {
  const sink = kept();
  const scorer = new BatchScorer(linear, 1, options);
  const writer = new ScoreWriter(sink, scoreFormats[as], 'tag');
  const take = async (batch: Parameters<BatchScorer['score']>[0]) =>
    writer.write(batch.data, await scorer.score(batch));
  const batches = new Batches(take, { rows, values: 1 << 20 });
  await streamSvmlight([memoryInput('text', Buffer.from(text))], { threads: 1 }, batches, chunkBytes);
  await batches.finish();
  await writer.finish();
  return sink.text();
}

async function atOnce(text: string, as: ScoreFormatName): Promise<string> {
  const data = await readSvmlight([memoryInput('text', Buffer.from(text))], { threads: 1 });
  const sink = kept();
  await writeScores(sink, data, scoreData(linear, data), { as, tag: 'tag' });
  return sink.text();
}

describe('rows in batches', () => {
  it.each(layouts)('of any size give the same %s as all at once', async as => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 30 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 40, max: 200 }),
        async (given, size, chunkBytes) => {
          const rows = [...given, { query: 'c', ...all }];
          // A run of large data wants the rows of a query together.
          if (scoreFormats[as].by === 'query')
            rows.sort((a, b) => (a.query < b.query ? -1 : a.query > b.query ? 1 : 0));
          const text = textOf(rows);
          expect(await inBatches(text, as, size, chunkBytes)).toBe(await atOnce(text, as));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('refuse a run where a query comes again after it has been written, and say where', async () => {
    const text = textOf(['a', 'b', 'c', 'a'].map(query => ({ query, ...all })));
    await expect(inBatches(text, 'run', 1, 40)).rejects.toMatchObject({
      code: 'query-scattered',
      message: expect.stringContaining('row 4 is of query "a"'),
    });
    expect(await inBatches(text, 'run', 100, 1000)).toBe(await atOnce(text, 'run'));
  });

  it('refuse what the model does not know at once, and what the data lacks before the last of them', async () => {
    const narrow = { query: 'a', features: [1, 1], named: true };
    const sinkless = (rows: readonly Row[], options?: ScoringOptions) =>
      inBatches(textOf(rows), 'scores', 1, 40, options);
    await expect(sinkless([narrow, { ...all, query: 'b', features: [1, 1, 1, 1, 1] }, narrow])).rejects.toThrow(
      'has "5" that the model does not know',
    );
    await expect(sinkless([narrow, narrow])).rejects.toThrow('lacks "3", "4"');
    const notes: string[] = [];
    const filled = { fill: true, note: (text: string) => notes.push(text) };
    expect(await sinkless([narrow, narrow, narrow], filled)).toBe('1.4000000000000001\n'.repeat(3));
    expect(notes).toEqual(['the data never names "3", "4": they count as zero']);
  });

  it('know from the start which features a table has', async () => {
    const taken: { first: boolean; last: boolean; featuresKnown: boolean; rows: number; inputRow: number }[] = [];
    const batches: RowSink & { finish(): Promise<void> } = new Batches(
      async ({ data, first, last, featuresKnown }) => {
        taken.push({ first, last, featuresKnown, rows: data.rows, inputRow: data.inputRows![0]! });
      },
      { rows: 2, values: 100 },
    );
    batches.begin({ absent: 0, featureNames: ['x'] });
    for (const rows of [1, 1, 3, 1]) {
      const columns = new Float32Array(rows);
      await batches.append({ rows, width: 1, stride: rows, columns, labels: {}, queries: [{ id: 'a', rows }] });
    }
    await batches.finish();
    expect(taken).toEqual([
      { first: true, last: false, featuresKnown: true, rows: 2, inputRow: 0 },
      { first: false, last: false, featuresKnown: true, rows: 3, inputRow: 2 },
      { first: false, last: true, featuresKnown: true, rows: 1, inputRow: 5 },
    ]);
  });
});

describe('scoreInto', () => {
  const data = generateDataset('mslr', { queries: 24, documents: 120, seed: 3 });
  const model = randomEnsemble(1, { features: data.features, leaves: [8, 31, 2, 300], grid: 30, skew: 0.2 });
  const batch: BatchSize = { rows: 1, values: 1 << 22 }; // a batch is a piece of the reader

  it.each(['data.txt', 'data.txt.gz', 'data.csv', 'data.csv.gz', 'data.tsv', 'data.jsonl', 'data.parquet'])(
    'gives the scores of %s as when it is read whole',
    async name => {
      const file = join(directory, name);
      await writeDataset(data, file, { sparse: true });
      const whole = await readDataset(file);
      const scores = scoreData(model, whole);
      for (const [as, threads] of [['scores', 1] as const, ['run', 2] as const]) {
        const [streamed, expected] = [kept(), kept()];
        const { documents } = await scoreInto(streamed, model, file, { as, batch, scoring: { threads } });
        await writeScores(expected, whole, scores, { as });
        expect(documents).toBe(data.rows);
        expect(streamed.text()).toBe(expected.text());
      }
    },
  );

  it('takes a table without labels', async () => {
    const file = join(directory, 'unlabelled.csv');
    writeFileSync(file, 'qid,docid,1,2,3,4\na,x,1,0,0,0\na,y,0,10,0,1\n');
    const sink = kept();
    await scoreInto(sink, linear, file, { as: 'ids' });
    expect(sink.text()).toBe('a\tx\t1.3\na\ty\t2\n');
    await expect(readDataset(file)).rejects.toMatchObject({ code: 'column-unknown' });
  });
});
