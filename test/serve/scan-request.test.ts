/** The quick reading of requests equals the plain one, or leaves it to that. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createRanker } from '#listwise/models/create-ranker.js';
import { featureValues } from '#listwise/models/feature-values.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { Random } from '#listwise/numeric/random.js';
import { FeatureOrder } from '#listwise/serve/feature-order.js';
import { Pace } from '#listwise/serve/pace.js';
import { readRequest } from '#listwise/serve/request.js';
import { scanRequest } from '#listwise/serve/scan-request.js';
import type { ServedModel } from '#listwise/serve/served-models.js';
import { randomEnsemble } from '../models/random-trees.js';
import { damaged } from '../mutations.js';

const names = ['a', 'b "c"', 'ß', '1'];
const models = [
  new LinearModel({ featureNames: names, weights: [1, 2, 3, 4] }),
  randomEnsemble(1, { features: 4, leaves: [4], grid: 9, skew: 0 }).with({ featureNames: names }),
];

function served(model: (typeof models)[number]): ServedModel {
  const known = new Set(['other', ...names]);
  return {
    name: 'm',
    version: undefined,
    digest: '',
    loaded: new Date(),
    ranker: createRanker(model, { known }),
    number: featureValues(model),
    plain: names.map(() => true),
    allPlain: true,
    order: new FeatureOrder(names),
    place: new Map(names.map((name, f) => [name, f])),
    known,
    labels: { model: 'm' },
    pace: new Pace(),
    whyPace: new Pace(),
  };
}

const limits = { body: 1e6, documents: 50, features: 6 };

/** What came of it, as one text. */
function outcome(read: () => ReturnType<typeof scanRequest>): string | undefined {
  try {
    const found = read();
    if (found === undefined) return undefined;
    const bits = Array.from(new Uint32Array(Float32Array.from(found.rows).buffer), bit =>
      (bit & 0x7fffffff) > 0x7f800000 ? 'NaN' : bit,
    );
    return JSON.stringify([found.head, found.documents, bits]);
  } catch (error) {
    return String(error);
  }
}

function agree(text: string | Buffer): boolean {
  // In two pieces, as bodies may come.
  const whole = Buffer.from(text);
  const body = [whole.subarray(0, whole.length >> 1), whole.subarray(whole.length >> 1)];
  let quick = false;
  for (const model of models.map(served)) {
    const scanned = outcome(() => scanRequest(body, () => model, limits));
    if (scanned === undefined) continue;
    quick = true;
    expect(scanned).toBe(outcome(() => readRequest(body, () => model, limits)));
  }
  return quick;
}

const value = fc.oneof(
  fc.double({ noNaN: true, min: -1e38, max: 1e38 }),
  fc.float({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.constantFrom(0, -0, 1e-40, 123456789.12345679, 4503599627370497, 1e22, 1e23, null),
);
const features = fc.dictionary(fc.constantFrom(...names, 'other'), value);
const document = fc.record(
  {
    id: fc.oneof(fc.string(), fc.integer()),
    features: fc.oneof(features, fc.tuple(value, value, value, value)),
    category: fc.string(),
    label: fc.integer(),
  },
  { requiredKeys: ['features'] },
);
const request = fc.oneof(
  fc.record(
    {
      documents: fc.array(document),
      model: fc.string({ minLength: 1 }),
      why: fc.boolean(),
      query: fc.string({ minLength: 1 }),
    },
    { requiredKeys: ['documents'] },
  ),
  fc.record({ rows: fc.array(fc.tuple(value, value, value, value)), key: fc.integer() }, { requiredKeys: ['rows'] }),
);

it('what clients send, in any layout', () => {
  let quick = 0;
  let all = 0;
  fc.assert(
    fc.property(request, fc.constantFrom(undefined, 1, '\t', ' \n'), (json, space) => {
      all++;
      quick += Number(agree(JSON.stringify(json, undefined, space)));
    }),
    { numRuns: 300 },
  );
  expect(quick / all).toBeGreaterThan(0.5);
});

it('numbers as JSON writes them, to the bit, and what it does not allow is left to the plain way', () => {
  const good = [
    '0',
    '-0',
    '0.1',
    '-0.0',
    '1e5',
    '1E+5',
    '1.5e-7',
    '3.4028234663852886e38',
    '1e-50',
    '9007199254740993',
    '0.1234567890123456789',
    '1e22',
    '123e-25',
    '16777217',
    'null',
  ];
  for (const text of good) expect(agree(`{"rows":[[${text},0,0,0]]}`), text).toBe(true);
  for (const text of ['01', '1.', '.5', '+1', '1e', '0x1', 'NaN', 'Infinity', '1e39', '--1', 'nul', '"1"', '', '1 2']) {
    expect(agree(`{"rows":[[${text},0,0,0]]}`), text).toBe(false);
  }
});

it('numbers of many digits beside the middle of two float32, to the bit', () => {
  const random = new Random(9);
  const word = new Uint32Array(1);
  const float = new Float32Array(word.buffer);
  for (let i = 0; i < 2000; i++) {
    // Of ordinary size: from 2^-40 to 2^40.
    word[0] = ((87 + random.below(80)) << 23) | random.below(1 << 23);
    const low = float[0]!;
    word[0]! += 1;
    const middle = (low + float[0]!) / 2; // exact in float64
    const digits = middle.toPrecision(24).replace(/e.*$/, '');
    const texts = [middle, middle * (1 + 2 ** -52), middle * (1 - 2 ** -53), low].map(value => value.toPrecision(17));
    for (const text of [...texts, middle.toFixed(20), digits])
      expect(agree(`{"rows":[[${text},0,0,0]]}`), text).toBe(true);
  }
});

it('mutated requests', () => {
  const random = new Random(5);
  const base = JSON.stringify({
    model: 'm',
    documents: [
      { id: 'x', features: { a: 1.5, 'b "c"': -2e-3, ß: null } },
      { id: 2, features: [1, 2, 3, 4], category: 'ü' },
    ],
    why: 2,
  });
  for (let i = 0; i < 3000; i++) agree(damaged(base, i));
  for (let i = 0; i < 500; i++) {
    const bytes = Buffer.from(base);
    bytes[random.below(bytes.length)] = random.below(256);
    agree(bytes);
  }
});

it('names in any order, some left out, some twice, as they were and once the order is learnt', () => {
  const random = new Random(11);
  const model = served(models[0]!);
  let quick = 0;
  for (let i = 0; i < 300; i++) {
    // Mostly one order, which is not the model's.
    const order = i % 5 === 0 ? [...names].sort(() => random.below(3) - 1) : ['1', 'other', 'ß', 'a', 'b "c"', 'a'];
    const pairs = order.filter(() => random.below(4) > 0).map(name => `${JSON.stringify(name)}: ${random.below(100)}`);
    const body = [Buffer.from(`{"documents":[{"features":{${pairs.join(', ')}}},{"features":{"a":${i}}}]}`)];
    const scanned = outcome(() => scanRequest(body, () => model, limits));
    if (scanned === undefined) continue; // a name with an escape where it was not expected
    quick++;
    expect(scanned).toBe(outcome(() => readRequest(body, () => model, limits)));
  }
  expect(quick).toBeGreaterThan(200);
});
