/** What a difference comes from: the same contest once more, with data or training altered in one respect. */
import { z } from 'zod';
import type { IntervalsChart } from '../report/charts.js';
import type { TableBlock } from '../report/document.js';
import {
  type Against,
  type Contest,
  type ContestConfig,
  type Contested,
  type Deciding,
  type Planned,
  pairsOf,
  significant,
} from './contest.js';
import { signedPoints } from './cut-table.js';
import { generatedConfig } from './generated.js';

/** What is altered, in words and in the config of data and training; measures by what stands in their place. */
export const variationsConfig = z.array(
  z.strictObject({
    name: z.string(),
    data: generatedConfig.partial().optional(),
    options: z.record(z.string(), z.unknown()).optional(),
    measures: z.record(z.string(), z.string()).optional(),
  }),
);
type Variations = z.output<typeof variationsConfig>;

export interface Variation extends Pick<Variations[number], 'name' | 'measures'> {
  readonly contests: readonly Contested[];
}

/** Training for `one` less training for `base`, where the measure `tested` is tested. */
export interface Comparison {
  readonly tested: string;
  readonly one: string;
  readonly base: string;
}

const instead = ({ measures = {} }: Pick<Variation, 'measures'>, measure: string) => measures[measure] ?? measure;

/**
 * What to hold, for `holdContests`: only those take part that are compared. `contest` makes the contest of the
 * experiment out of the measures that stand in the place of its own.
 */
export function variedContests(
  variations: Variations,
  contest: (measure: (own: string) => string) => Contest,
  comparisons: readonly Comparison[],
  config: ContestConfig,
): Planned[] {
  return variations.map(variation => {
    const { entrants } = contest(own => instead(variation, own));
    return {
      label: `${variation.name}, `,
      contest: {
        entrants: entrants.filter(({ name }) => comparisons.some(({ one, base }) => name === one || name === base)),
        tests: comparisons.map(({ tested, base }) => ({ measure: instead(variation, tested), base })),
      },
      config: {
        ...config,
        data: generatedConfig.parse({ ...config.data, ...variation.data }),
        options: { ...config.options, ...variation.options },
      },
    };
  });
}

/** What came of them. */
export function variationsHeld(variations: Variations, held: readonly (readonly Contested[])[]): Variation[] {
  return variations.map(({ name, measures }, v) => ({ name, measures, contests: held[v]! }));
}

function againstOf(variation: Variation, { tested, one, base }: Comparison): Against {
  const measure = instead(variation, tested);
  const contest = variation.contests.find(held => held.measure === measure && held.base === base)!;
  return contest.results.find(({ name }) => name === one)!.against!;
}

const inWords = ({ tested, one, base }: Comparison) => `tested on ${tested}: ${one} less ${base}`;

export function variationsTable(
  title: string,
  variations: readonly Variation[],
  comparisons: readonly Comparison[],
  tests: Deciding,
): TableBlock {
  const cell = (found: Against) => {
    const [low, high] = found.interval.map(signedPoints);
    return `${signedPoints(found.difference)}${significant(found, tests) ? ' ‡' : ''} (${low} to ${high})`;
  };
  return {
    kind: 'table',
    title,
    columns: [{ title: 'what is altered' }, ...comparisons.map(one => ({ title: inWords(one) }))],
    rows: variations.map(varied => [varied.name, ...comparisons.map(one => cell(againstOf(varied, one)))]),
  };
}

export function variationsChart(
  title: string,
  variations: readonly Variation[],
  comparisons: readonly Comparison[],
): IntervalsChart {
  return {
    kind: 'intervals',
    title,
    note: 'With 95 % intervals over the test queries.',
    x: { label: 'difference', style: 'difference' },
    reference: 0,
    dots: variations.flatMap(varied =>
      comparisons.map(comparison => {
        const {
          difference: value,
          interval: [low, high],
        } = againstOf(varied, comparison);
        return { label: varied.name, series: inWords(comparison), value, low, high };
      }),
    ),
  };
}

/** Pairs with a lambda in an epoch of the models chosen for the first measure tested. */
export function pairsTable(title: string, variations: readonly Variation[], names: readonly string[]): TableBlock {
  return {
    kind: 'table',
    title,
    columns: [{ title: 'what is altered' }, ...names.map(name => ({ title: name, style: 'count' as const }))],
    rows: variations.map(({ name, contests }) => [
      name,
      ...names.map(entrant => {
        const result = contests[0]!.results.find(one => one.name === entrant);
        return result === undefined ? Number.NaN : Math.round(pairsOf(result));
      }),
    ]),
  };
}
