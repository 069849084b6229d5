/** Training that starts at weights of early epochs, or at those of another measure: does it leave them at once? */
import { z } from 'zod';
import type { Dataset } from '../data/dataset.js';
import { evaluate } from '../measures/evaluate.js';
import { parseMeasure } from '../measures/parse.js';
import { type Ranker, scoreData } from '../models/ranker.js';
import { mean } from '../numeric/vectors.js';
import { column, columns } from '../report/columns.js';
import type { Section } from '../report/document.js';
import { written } from '../report/numbers.js';
import { trainNamed } from '../training/train.js';
import { learn, learnedConfig } from './altered.js';
import type { Drawn } from './drawn.js';
import { above, intervalOf, testedOver } from './evidence.js';
import type { Finding } from './experiment.js';
import { generatedConfig, generatedPart } from './generated.js';
import type { Lab } from './lab.js';

export const escapeConfig = z.strictObject({
  data: generatedConfig,
  dataSets: z.int(),
  model: learnedConfig,
  measure: z.string(),
  /** Early epochs to start at. */
  epochs: z.array(z.int()),
  otherMeasure: z.string(),
  /** Epochs to go on for. */
  more: z.int(),
});
export type EscapeConfig = z.output<typeof escapeConfig>;

/** From one start, on one data set: the measure on the training data. */
export interface Escape {
  readonly start: string;
  readonly before: number;
  /** After each further epoch. */
  readonly after: readonly number[];
}

/** By data set. */
export function runEscapes(config: EscapeConfig, lab: Lab): Promise<Escape[][]> {
  return lab.each(lab.seeds(config.dataSets), seed =>
    lab.step(`escapes, data ${seed}`, () => escapes(config, seed, lab)),
  );
}

async function escapes(config: EscapeConfig, seed: number, lab: Lab): Promise<Escape[]> {
  const { model, measure, epochs, otherMeasure } = config;
  const data = generatedPart(config.data, 'training', seed);
  const starts: { start: string; ranker: Ranker }[] = [];
  for (const early of epochs) {
    const short = { ...model, options: { ...model.options, epochs: early } };
    starts.push({ start: `epoch ${early}`, ranker: (await learn(short, measure, data, seed, lab)).model });
  }
  const other = await learn(model, otherMeasure, data, seed, lab);
  starts.push({ start: `weights learned for ${otherMeasure}`, ranker: other.model });
  const found: Escape[] = [];
  for (const { start, ranker } of starts) found.push({ start, ...(await goOn(config, ranker, data, seed, lab)) });
  return found;
}

async function goOn(
  { model: { model, rates, options }, measure, more }: EscapeConfig,
  from: Ranker,
  data: Dataset,
  seed: number,
  { threads, signal }: Lab,
): Promise<Omit<Escape, 'start'>> {
  const { log } = await trainNamed({
    data,
    holdout: 0,
    from,
    model,
    objective: `lambdarank(${measure})`,
    select: measure,
    seed,
    threads,
    signal,
    options: { ...options, rate: rates[0]!, epochs: more, patience: 0 },
  });
  return {
    before: evaluate(data, scoreData(from, data), [parseMeasure(measure)])[0]!.mean,
    after: log.map(({ validation }) => validation[0]!),
  };
}

export function escapeFindings(found: readonly (readonly Escape[])[], measure: string): Finding[] {
  return found[0]!.map(({ start }, s) => {
    const gains = found.map(escapesOf => escapesOf[s]!.after[0]! - escapesOf[s]!.before);
    return {
      claim: `${measure}: training that starts at ${start} rises at once`,
      paper: 'immediate improvement',
      ours: `${written(mean(gains), 'difference')} after one epoch, higher on ${gains.filter(gain => gain > 0).length} of ${gains.length} data sets`,
      ...above(testedOver('data sets', gains)),
      drawn: risesDrawn(found, s, measure),
    };
  });
}

/** From one start, epoch by epoch. */
function risesDrawn(found: readonly (readonly Escape[])[], s: number, measure: string): Drawn {
  const tests = found[0]![s]!.after.map((_, epoch) =>
    testedOver(
      'data sets',
      found.map(one => one[s]!.after[epoch]! - one[s]!.before),
    ),
  );
  const intervals = tests.map(intervalOf);
  return {
    y: `rise of ${measure}`,
    style: 'difference',
    reference: 0,
    x: { label: 'epochs more' },
    curves: [
      {
        at: [0, ...tests.map((_, epoch) => epoch + 1)],
        ours: [0, ...tests.map(({ difference }) => difference)],
        low: [0, ...intervals.map(([low]) => low)],
        high: [0, ...intervals.map(([, high]) => high)],
      },
    ],
  };
}

export function escapeSection(found: readonly (readonly Escape[])[], measure: string): Section {
  return {
    title: 'Escape from early optima',
    lead: `${measure} on the training data, means over ${found.length} data sets.`,
    blocks: [
      {
        kind: 'lines',
        title: `${measure} from where training starts again`,
        x: { label: 'epochs more', style: 'count' },
        y: { label: measure, style: 'value' },
        series: found[0]!.map(({ start, after }, s) => ({
          name: start,
          x: [0, ...after.map((_, epoch) => epoch + 1)],
          y: [
            mean(found.map(one => one[s]!.before)),
            ...after.map((_, epoch) => mean(found.map(one => one[s]!.after[epoch]!))),
          ],
        })),
      },
      {
        kind: 'table',
        title: 'Escape from early optima',
        columns: [column('start'), ...columns('value', 'before', 'after one epoch', 'at the end')],
        rows: found[0]!.map(({ start }, s) => [
          start,
          mean(found.map(one => one[s]!.before)),
          mean(found.map(one => one[s]!.after[0]!)),
          mean(found.map(one => one[s]!.after.at(-1)!)),
        ]),
      },
    ],
  };
}
