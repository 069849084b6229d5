/** The paper's values beside ours, as pictures: ours in the colour of the verdict. */
import type { IntervalsChart, LineSeries, LinesChart, NumberStyle, Tone } from '../report/charts.js';
import type { Section } from '../report/document.js';
import { intervalOf, type Tested, type Verdict } from './evidence.js';
import type { Finding } from './experiment.js';

/** Values that a claim is about; one or a curve of them. */
export interface Drawn {
  /** What they are, such as "difference in NDCG". */
  readonly y: string;
  readonly style?: NumberStyle;
  /** Of the axis of single values, where that is too long. */
  readonly axis?: string;
  readonly curves: readonly DrawnCurve[];
  /** Of the horizontal axis, where there are several values. */
  readonly x?: { readonly label: string; readonly scale?: 'log' } | undefined;
  /** To compare with, such as 0. */
  readonly reference?: number;
}

interface DrawnCurve {
  /** In few words; the claim where left out. */
  readonly name?: string;
  readonly at: readonly number[];
  /** Absent where the paper prints none. */
  readonly paper?: readonly number[] | undefined;
  readonly ours: readonly number[];
  readonly low?: readonly number[];
  readonly high?: readonly number[];
}

/** What a test is about, with its interval; nothing where there is no sample. */
export function testedDrawn(name: string, tested: Tested, y = 'difference', axis = y): { drawn?: Drawn } {
  return testsDrawn([{ name, tested }], y, axis);
}

/** The same of a claim with several tests. */
export function testsDrawn(
  tests: readonly { readonly name: string; readonly tested: Tested }[],
  y = 'difference',
  axis = y,
): { drawn?: Drawn } {
  const curves = tests.flatMap(({ name, tested }) => {
    const { n, difference } = tested;
    if (n === 0) return [];
    const [low, high] = n === 1 ? [difference, difference] : intervalOf(tested);
    return [{ name, at: [0], ours: [difference], low: [low], high: [high] }];
  });
  return curves.length === 0 ? {} : { drawn: { y, axis, style: 'difference', reference: 0, curves } };
}

/** Shares where the paper has none. */
export function sharesDrawn(shares: readonly { readonly name: string; readonly share: number }[], y: string): Drawn {
  return {
    y,
    axis: 'share',
    style: 'percent',
    curves: shares.map(({ name, share }) => ({ name, at: [0], paper: [0], ours: [share] })),
  };
}

const tones: Readonly<Record<Verdict, Tone>> = {
  holds: 'holds',
  contradicted: 'contradicted',
  'cannot tell': 'open',
};

/** Nothing where no finding has values. */
export function besideSection(findings: readonly Finding[]): Section[] {
  const drawn = findings.flatMap(finding => (finding.drawn === undefined ? [] : [{ finding, drawn: finding.drawn }]));
  if (drawn.length === 0) return [];
  const curves = drawn.filter(one => one.drawn.x !== undefined);
  const single = drawn.filter(one => one.drawn.x === undefined);
  const kinds = [...new Set(single.map(one => one.drawn.y))];
  return [
    {
      title: 'The paper’s values beside ours',
      lead: 'Ours are coloured by the verdict. The paper’s are dashed, or grey; where there are none, it prints no numbers.',
      blocks: [
        ...kinds.map(y =>
          dots(
            y,
            single.filter(one => one.drawn.y === y),
          ),
        ),
        ...curves.map(({ finding, drawn: of }) => lines(finding, of)),
      ],
    },
  ];
}

function lines({ claim, verdict }: Finding, { x, y, style = 'general', curves, reference }: Drawn): LinesChart {
  const series = curves.flatMap(({ name, at, paper, ours, low, high }): LineSeries[] => {
    const of = name === undefined ? '' : `${name}, `;
    return [
      ...(paper === undefined ? [] : [{ name: `${of}paper`, tone: 'theirs' as const, x: at, y: paper }]),
      {
        name: `${of}here: ${verdict}`,
        tone: tones[verdict],
        x: at,
        y: ours,
        ...(low === undefined || high === undefined ? {} : { low, high }),
      },
    ];
  });
  return {
    kind: 'lines',
    title: claim,
    x: { label: x!.label, ...(x!.scale === undefined ? {} : { scale: x!.scale }) },
    y: { label: y, style, ...(x!.scale === undefined ? {} : { scale: x!.scale }) },
    series,
    ...(reference === undefined ? {} : { reference }),
  };
}

function dots(y: string, all: readonly { readonly finding: Finding; readonly drawn: Drawn }[]): IntervalsChart {
  const { style = 'general', axis = y, reference } = all[0]!.drawn;
  return {
    kind: 'intervals',
    title: y,
    x: { label: axis, style },
    ...(reference === undefined ? {} : { reference }),
    dots: all.flatMap(({ finding: { claim, verdict }, drawn: { curves } }) =>
      curves.flatMap(({ name: label = claim, paper, ours, low = ours, high = ours }) => [
        ...(paper ?? []).map(value => ({
          label,
          series: 'paper',
          tone: 'theirs' as const,
          value,
          low: value,
          high: value,
        })),
        ...ours.map((value, i) => ({
          label,
          series: `here: ${verdict}`,
          tone: tones[verdict],
          value,
          low: low[i]!,
          high: high[i]!,
        })),
      ]),
    ),
  };
}
