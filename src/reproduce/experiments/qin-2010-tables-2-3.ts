/** Data of the shape of TD2003 and TD2004: climbing a smooth AP against AdaRank, structural SVMs and a smooth NDCG. */
import { z } from 'zod';
import { normalisations, normalise } from '../../data/index.js';
import { evaluate } from '../../measures/evaluate.js';
import { parseMeasure } from '../../measures/parse.js';
import { scoreData } from '../../models/ranker.js';
import { mean } from '../../numeric/vectors.js';
import { column } from '../../report/columns.js';
import type { Section } from '../../report/document.js';
import { written } from '../../report/numbers.js';
import { count } from '../../report/words.js';
import { type BestTrial, bestTrial, trialsConfig } from '../best-trial.js';
import { type Against, against, againstDrawn, testsOf } from '../contest.js';
import { signedPoints } from '../cut-table.js';
import { above, alike } from '../evidence.js';
import { defineExperiment, type Finding } from '../experiment.js';
import { generatedConfig, generatedParts } from '../generated.js';
import type { Lab } from '../lab.js';

/** MAP of Tables 2 and 3. */
const PAPER = {
  TD2003: { 'AdaRank.MAP': 0.137, SVMmap: 0.198, ApproxAP: 0.233, ApproxNDCG: 0.238 },
  TD2004: { 'AdaRank.MAP': 0.331, SVMmap: 0.304, ApproxAP: 0.35, ApproxNDCG: 0.318 },
} as const;
type Shape = keyof typeof PAPER;
type MethodName = keyof (typeof PAPER)['TD2003'];
const shapeNames = Object.keys(PAPER) as Shape[];

/** What the paper says of them, by the shape that it says it of. */
const claims: readonly (readonly [table: string, Shape, MethodName, 'better than' | 'comparable with', MethodName])[] =
  [
    ...shapeNames.flatMap(shape => [
      ['Table 2', shape, 'ApproxAP', 'better than', 'AdaRank.MAP'] as const,
      ['Table 2', shape, 'ApproxAP', 'better than', 'SVMmap'] as const,
    ]),
    ['Table 2', 'TD2003', 'SVMmap', 'better than', 'AdaRank.MAP'],
    ['Table 2', 'TD2004', 'AdaRank.MAP', 'better than', 'SVMmap'],
    ['Table 3', 'TD2003', 'ApproxAP', 'comparable with', 'ApproxNDCG'],
    ['Table 3', 'TD2004', 'ApproxAP', 'better than', 'ApproxNDCG'],
  ];

const config = z.strictObject({
  shapes: z.strictObject({ TD2003: generatedConfig, TD2004: generatedConfig }),
  /** Each of another seed. */
  dataSets: z.int(),
  normalise: z.enum(Object.keys(normalisations) as (keyof typeof normalisations)[]),
  /** What chooses on validation data, and what is tested. */
  measure: z.string(),
  methods: z.array(trialsConfig.extend({ name: z.enum(Object.keys(PAPER.TD2003) as [MethodName, ...MethodName[]]) })),
});
type Config = z.output<typeof config>;

interface Evaluated extends Omit<BestTrial, 'model'> {
  /** By test query. */
  readonly values: readonly number[];
}

interface Outcome {
  readonly shapes: readonly {
    readonly shape: Shape;
    readonly queries: number;
    readonly methods: readonly {
      readonly name: MethodName;
      /** On each data set. */
      readonly means: readonly number[];
      readonly chosen: readonly (readonly [trial: number, iteration: number])[];
    }[];
    /** In the order of the claims about this shape. */
    readonly against: readonly Against[];
  }[];
}

const claimsOf = (shape: Shape) => claims.filter(([, of]) => of === shape);

export const qin2010Tables23 = defineExperiment<Config, Outcome>({
  name: 'qin-2010-tables-2-3',
  title: 'few relevant documents among a thousand: climbing a smooth AP',
  paper:
    'Qin, Liu, Li 2010, A general approximation framework for direct optimization of information retrieval measures, Tables 2 and 3',
  collections: [],
  config,
  async run(settings, lab) {
    lab.expect(shapeNames.length * settings.dataSets * settings.methods.length);
    const shapes: Outcome['shapes'][number][] = [];
    for (const shape of shapeNames) shapes.push(await follow(settings, shape, lab));
    return { shapes };
  },
  findings: ({ shapes }) =>
    shapes.flatMap(({ shape, against: found }) => claimsOf(shape).map((claim, c) => finding(claim, found[c]!))),
  sections: ({ shapes }) => [section(shapes)],
});

async function follow(settings: Config, shape: Shape, lab: Lab): Promise<Outcome['shapes'][number]> {
  const byData = await lab.each(lab.seeds(settings.dataSets), async seed => {
    const parts = generatedParts(settings.shapes[shape], seed);
    const part = (name: 'training' | 'validation' | 'test') =>
      normalise(parts(name), normalisations[settings.normalise]);
    const evaluated: Evaluated[] = [];
    for (const method of settings.methods) {
      const key = `${shape}, ${method.name}, data ${seed}`;
      evaluated.push(await lab.step(key, () => trainAndEvaluate(settings, method, part, seed, lab)));
    }
    return evaluated;
  });
  const found = new Map<MethodName, Evaluated[]>(
    settings.methods.map(({ name }, m) => [name, byData.map(ofData => ofData[m]!)]),
  );
  return {
    shape,
    queries: [...found.values()][0]!.reduce((sum, { values }) => sum + values.length, 0),
    methods: Array.from(found, ([name, sets]) => ({
      name,
      means: sets.map(({ values }) => mean(values)),
      chosen: sets.map(({ chosen, iteration }) => [chosen, iteration] as const),
    })),
    against: claimsOf(shape).map(([, , one, , other]) => against(found.get(one)!, found.get(other)!)),
  };
}

async function trainAndEvaluate(
  { measure }: Config,
  method: Config['methods'][number],
  part: (name: 'training' | 'validation' | 'test') => ReturnType<typeof normalise>,
  seed: number,
  { threads, signal }: Lab,
): Promise<Evaluated> {
  const { model, ...found } = await bestTrial(method, {
    data: part('training'),
    validate: part('validation'),
    select: measure,
    seed,
    threads,
    signal,
  });
  const test = part('test');
  const [evaluated] = evaluate(test, scoreData(model, test), [parseMeasure(measure)]);
  return { ...found, values: [...evaluated!.values] };
}

function finding([table, shape, one, said, other]: (typeof claims)[number], found: Against): Finding {
  const {
    difference,
    interval: [low, high],
    better,
    dataSets,
  } = found;
  const tests = testsOf(found, 't');
  return {
    claim: `${table}, shape of ${shape}: ${one} is ${said} ${other}`,
    paper: `MAP ${PAPER[shape][one]} and ${PAPER[shape][other]}`,
    ours: `${signedPoints(difference)} points (${signedPoints(low)} to ${signedPoints(high)}), better on ${better} of ${dataSets.length} data sets`,
    drawn: againstDrawn(`${shape}: ${one} less ${other}`, found, PAPER[shape][one] - PAPER[shape][other]),
    ...(said === 'better than' ? above(...tests) : alike({}, ...tests)),
  };
}

function section(shapes: Outcome['shapes']): Section {
  const title = 'Tables 2 and 3: MAP';
  return {
    title,
    lead: `Means over ${shapes.map(({ shape, queries }) => `${count(queries)} test queries (${shape})`).join(', ')}. The paper’s values are of the real collections, ours of data of their shape: only differences can be compared.`,
    blocks: [
      {
        kind: 'table',
        title,
        columns: [
          column('method'),
          ...shapes.flatMap(({ shape }) => [
            column(`${shape}: paper`, 'value'),
            column('here', 'value'),
            column('lowest to highest data set'),
          ]),
        ],
        rows: shapes[0]!.methods.map(({ name }, m) => [
          name,
          ...shapes.flatMap(({ shape, methods }) => {
            const { means } = methods[m]!;
            const ends = [Math.min(...means), Math.max(...means)].map(value => written(value, 'value'));
            return [PAPER[shape][name], mean(means), ends.join(' to ')];
          }),
        ]),
      },
    ],
  };
}
