import { describe, expect, it } from 'vitest';
import type { Dataset } from '#listwise/data/dataset.js';
import { generators } from '#listwise/data/generators/all.js';
import { type GenerateOptions, generate, generateDataset } from '#listwise/data/generators/generate.js';
import { GRADE_SHARES } from '#listwise/data/generators/grades.js';
import { selectQueries } from '#listwise/data/split.js';

function contents(data: Dataset) {
  return {
    ids: data.queryIds,
    offsets: [...data.offsets],
    labels: [...data.labels].map(([name, values]) => [name, [...values]]),
    columns: data.featureNames.map((_, f) => [...data.column(f)]),
  };
}

function shares(values: Float64Array): number[] {
  const counts = GRADE_SHARES.map(() => 0);
  for (const value of values) counts[value]!++;
  return counts.map(count => count / values.length);
}

/** Pearson's correlation. */
function correlation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    sa += a[i]!;
    sb += b[i]!;
    saa += a[i]! ** 2;
    sbb += b[i]! ** 2;
    sab += a[i]! * b[i]!;
  }
  const n = a.length;
  return (sab - (sa * sb) / n) / Math.sqrt((saa - sa ** 2 / n) * (sbb - sb ** 2 / n));
}

const clickMean = (data: Dataset, grade: number) => {
  const clicks = data.label('clicks').filter((_, i) => data.label()[i] === grade);
  return clicks.reduce((sum, value) => sum + value, 0) / clicks.length;
};

for (const { name, defaults, grades } of generators) {
  const make = (options: Partial<GenerateOptions> = {}) =>
    generateDataset(name, { queries: 30, documents: 20, seed: 3, clicks: true, ...options });

  describe(name, () => {
    it('is a function of the seed', () => {
      expect(contents(make())).toEqual(contents(make()));
      expect(contents(make({ seed: 4 })).columns).not.toEqual(contents(make()).columns);
    });

    it('of N queries is the start of a larger set, and skip goes on from there', () => {
      const large = make({ queries: 45 });
      const range = (from: number, to: number) => Array.from({ length: to - from }, (_, q) => from + q);
      expect(contents(make())).toEqual(contents(selectQueries(large, range(0, 30))));
      expect(contents(make({ queries: 15, skip: 30 }))).toEqual(contents(selectQueries(large, range(30, 45))));
    });

    it('has the same features and grades with and without clicks', () => {
      const { labels: _, ...plain } = contents(make({ clicks: false }));
      expect(contents(make())).toMatchObject(plain);
      expect(make({ clicks: false }).label()).toEqual(make().label());
    });

    it('keeps its hidden function for other rows with functionSeed', () => {
      const other = make({ seed: 4, functionSeed: 3 });
      expect(contents(other).columns).not.toEqual(contents(make()).columns);
      expect(contents(other).columns).toEqual(contents(make({ seed: 4 })).columns);
      // The same rows graded by another function.
      expect(other.label()).not.toEqual(make({ seed: 4 }).label());
    });

    it('with flips has that share of other grades, each as likely, and all else as it was', () => {
      const [plain, flipped, more] = [0, 0.1, 0.5].map(flips => make({ queries: 300, flips })) as [
        Dataset,
        Dataset,
        Dataset,
      ];
      const rows = Array.from(plain.label().keys());
      const changed = (data: Dataset) => rows.filter(row => data.label()[row] !== plain.label()[row]);
      const found = changed(flipped);
      // Within four standard errors.
      const error = Math.sqrt((0.1 * 0.9) / rows.length);
      expect(Math.abs(found.length / rows.length - 0.1)).toBeLessThan(4 * error);
      const zeros = found.filter(row => plain.label()[row] === 0);
      for (let grade = 1; grade < grades; grade++) {
        const share = zeros.filter(row => flipped.label()[row] === grade).length / zeros.length;
        const likely = 1 / (grades - 1);
        expect(Math.abs(share - likely)).toBeLessThanOrEqual(4 * Math.sqrt((likely * (1 - likely)) / zeros.length));
      }
      // A larger share flips the same documents in the same way, and more.
      expect(found.every(row => more.label()[row] === flipped.label()[row])).toBe(true);
      expect(contents(flipped).columns).toEqual(contents(plain).columns);
      expect(flipped.label('clicks')).toEqual(plain.label('clicks'));
      // A query of a larger set has the flips that it has in a small one.
      expect(make({ queries: 5, skip: 7, flips: 0.5 }).label()).toEqual(selectQueries(more, [7, 8, 9, 10, 11]).label());
      expect(changed(make({ queries: 300, flips: 1 }))).toHaveLength(rows.length);
      for (const flips of [-0.1, 1.1, Number.NaN]) {
        expect(() => make({ flips })).toThrowError(`flips is a share from 0 to 1, found ${flips}`);
      }
    });

    it('has grades in the shares of real data and clicks that rise with the grade', () => {
      const data = make({ queries: 1500, documents: 20 });
      expect(data.features).toBe(defaults.features);
      expect(new Set(data.label()).size).toBe(grades);
      if (grades !== GRADE_SHARES.length) return; // shares of another kind: see there
      const found = shares(data.label());
      // The query effect of mslr leaves more to chance.
      for (const [grade, share] of GRADE_SHARES.entries()) {
        expect(Math.abs(found[grade]! - share), `grade ${grade}`).toBeLessThan(0.1 * share + 0.004);
      }
      const clicks = data.label('clicks');
      const zeros = clicks.filter(value => value === 0).length / clicks.length;
      expect(zeros).toBeGreaterThan(0.6);
      expect(zeros).toBeLessThan(0.95);
      expect(Math.min(...clicks)).toBe(0);
      expect(Math.max(...clicks)).toBeLessThanOrEqual(1);
      const means = [0, 1, 2, 3].map(grade => clickMean(data, grade));
      expect(means).toEqual([...means].sort((a, b) => a - b));
      expect(correlation(clicks, data.label())).toBeGreaterThan(0.2);
    });

    it('has click-through rates of many users: closer to the grade, with fewer zeros after similar queries too', () => {
      const data = make({ queries: 300, clickRates: true });
      const [clicks, exact, similar] = ['clicks', 'exact', 'similar'].map(source => data.label(source)) as [
        Float64Array,
        Float64Array,
        Float64Array,
      ];
      const zeros = (labels: Float64Array) => labels.filter(value => value === 0).length;
      expect(zeros(similar)).toBeLessThan(zeros(exact));
      expect(correlation(exact, data.label())).toBeGreaterThan(correlation(clicks, data.label()));
      expect(correlation(similar, data.label())).toBeGreaterThan(correlation(exact, data.label()));
      // The other labels are as they were.
      expect(clicks).toEqual(make({ queries: 300 }).label('clicks'));
    });

    it('has values of few digits that 32-bit floats keep', () => {
      const data = make({ queries: 5 });
      for (let f = 0; f < data.features; f++) {
        for (const value of data.column(f)) {
          expect(Math.fround(Number(value.toPrecision(6)))).toBe(value);
        }
      }
    });
  });
}

describe('cubic and net', () => {
  it('have features uniform in [-1, 1] and any number of them', () => {
    for (const name of ['cubic', 'net', 'net(hidden=3)']) {
      const data = generateDataset(name, { queries: 100, features: 7, seed: 1 });
      expect([data.features, data.rows]).toEqual([7, 5000]);
      for (let f = 0; f < 7; f++) {
        const x = data.column(f);
        expect(Math.min(...x)).toBeGreaterThanOrEqual(-1);
        expect(Math.max(...x)).toBeLessThanOrEqual(1);
        // Mean 0 and variance 1/3, within four standard errors of 5,000 draws.
        expect(Math.abs(x.reduce((sum, v) => sum + v, 0) / 5000)).toBeLessThan(0.033);
        expect(x.reduce((sum, v) => sum + v * v, 0) / 5000).toBeCloseTo(1 / 3, 1);
      }
    }
  });

  it('of one feature is still a data set', () => {
    expect(generateDataset('cubic', { queries: 2, features: 1, seed: 1 }).rows).toBe(100);
  });
});

describe('aspects', () => {
  const size = { queries: 400, features: 40, seed: 1 };
  /** How a block of features goes with a property of the grades: the largest correlation of one of them. */
  const strongest = (data: Dataset, [from, to]: [number, number], is: (grade: number) => boolean, among = 0) => {
    const rows = [...data.label().keys()].filter(row => data.label()[row]! >= among);
    const wanted = rows.map(row => Number(is(data.label()[row]!)));
    const found = Array.from({ length: to - from }, (_, f) => {
      const column = data.column(from + f);
      return Math.abs(
        correlation(
          rows.map(row => column[row]!),
          wanted,
        ),
      );
    });
    return Math.max(...found);
  };

  it('of one are what there is without', () => {
    for (const name of ['cubic', 'net']) {
      expect(contents(generateDataset(`${name}(aspects=1)`, size))).toEqual(contents(generateDataset(name, size)));
    }
  });

  it('of two: other features tell what is relevant than tell how relevant it is', () => {
    for (const name of ['cubic(aspects=2)', 'net(aspects=2)']) {
      const data = generateDataset(name, size);
      expect(strongest(data, [0, 20], grade => grade >= 1)).toBeGreaterThan(0.1);
      expect(strongest(data, [20, 40], grade => grade >= 1)).toBeLessThan(0.03);
      expect(strongest(data, [0, 20], grade => grade >= 2, 1)).toBeLessThan(0.04);
      expect(strongest(data, [20, 40], grade => grade >= 2, 1)).toBeGreaterThan(0.1);
    }
  });

  it('of more decide a boundary each, and the shares of the grades stay', () => {
    for (const count of [2, 3, 4]) {
      const data = generateDataset(`net(aspects=${count})`, size);
      for (const [grade, share] of shares(data.label()).entries()) {
        expect(Math.abs(share - GRADE_SHARES[grade]!)).toBeLessThan(0.1 * GRADE_SHARES[grade]! + 0.004);
      }
    }
    const data = generateDataset('net(aspects=3)', size);
    expect(strongest(data, [13, 27], grade => grade >= 2, 1)).toBeGreaterThan(0.1);
    expect(strongest(data, [27, 40], grade => grade >= 3, 2)).toBeGreaterThan(0.1);
    expect(strongest(data, [13, 27], grade => grade >= 3, 2)).toBeLessThan(0.07);
  });

  it('need a feature each, and are four at most', () => {
    expect(() => generate('cubic(aspects=3)', { queries: 1, features: 2, seed: 1 })).toThrowError(
      '3 aspects need 3 features at least, found 2',
    );
    expect(() => generate('cubic(aspects=5)', { queries: 1, seed: 1 })).toThrowError(/at most 4/);
  });
});

describe('td', () => {
  it('has the shape of TD2003 and TD2004: 44 features, 1,000 documents, few of them relevant', () => {
    for (const [spec, queries, relevant] of [
      ['td', 50, 10],
      ['td(relevant=21)', 75, 21],
    ] as const) {
      const data = generateDataset(spec, { queries, seed: 1 });
      expect([data.features, data.rows]).toEqual([44, 1000 * queries]);
      const counts = Array.from({ length: queries }, (_, q) =>
        data
          .label()
          .subarray(data.offsets[q], data.offsets[q + 1])
          .reduce((sum, label) => sum + label, 0),
      );
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...counts)).toBeGreaterThan(2 * relevant);
      const mean = counts.reduce((sum, count) => sum + count, 0) / queries;
      expect(Math.abs(mean - relevant)).toBeLessThan(0.25 * relevant);
    }
  });

  it('has features of mslr data that tell what is relevant', () => {
    const data = generateDataset('td', { queries: 20, seed: 1 });
    const bm25 = data.column(4 * 5);
    const [relevant, other] = [1, 0].map(label => {
      const values = bm25.filter((_, row) => data.label()[row] === label);
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    });
    expect(relevant).toBeGreaterThan(1.3 * other!);
    // Fewer documents than would be relevant: all are.
    expect([...generateDataset('td(relevant=50)', { queries: 1, documents: 2, seed: 1 }).label()]).toEqual([1, 1]);
  });
});

describe('mslr', () => {
  const data = generateDataset('mslr', { queries: 600, seed: 2 });

  const emptyQueries = (set: ReturnType<typeof generateDataset>) => {
    let empty = 0;
    for (let q = 0; q < set.queries; q++) {
      const grades = set.label().subarray(set.offsets[q], set.offsets[q + 1]);
      if (grades.every(grade => grade === 0)) empty++;
    }
    return empty;
  };

  it('has about 3 % of queries without a relevant document, however few documents there are', () => {
    for (const documents of [5, 60]) {
      const empty = emptyQueries(generateDataset('mslr', { queries: 1000, documents, seed: 2 }));
      expect(empty / 1000).toBeGreaterThan(0.01);
      expect(empty / 1000).toBeLessThan(0.05);
    }
  });

  it('has as many of them as are asked for', () => {
    const size = { queries: 300, documents: 5, seed: 2 };
    expect(emptyQueries(generateDataset('mslr(empty=0)', size))).toBe(0);
    expect(emptyQueries(generateDataset('mslr(empty=1)', size))).toBe(300);
  });

  it('spreads the documents a query widely around the mean asked for', () => {
    const sizes = Array.from({ length: data.queries }, (_, q) => data.offsets[q + 1]! - data.offsets[q]!);
    expect(data.rows / data.queries).toBeGreaterThan(108);
    expect(data.rows / data.queries).toBeLessThan(132);
    expect(Math.min(...sizes)).toBeLessThan(25);
    expect(Math.max(...sizes)).toBeGreaterThan(350);
    const equal = generateDataset('mslr', { queries: 3, documents: 40, equalSizes: true, seed: 2 });
    expect([...equal.offsets]).toEqual([0, 40, 80, 120]);
  });

  it('has features of the kinds of real data', () => {
    const column = (feature: number) => data.column(feature - 1);
    const whole = (feature: number) => column(feature).every(Number.isInteger);
    const zeros = (feature: number) => column(feature).filter(v => v === 0).length / data.rows;
    for (const feature of [1, 11, 21, 96, 126, 127, 128, 130, 132, 134])
      expect(whole(feature), `${feature}`).toBe(true);
    for (const feature of [106, 111, 121]) expect(whole(feature), `${feature}`).toBe(false);
    expect(zeros(134)).toBeGreaterThan(0.8); // clicks are sparse
    expect(zeros(12)).toBeGreaterThan(0.4); // many documents have no anchor text
    expect(Math.max(...column(111))).toBeLessThan(0); // log probabilities
    // Heavy tails: the largest stream length is many times the mean.
    const lengths = column(11);
    expect(Math.max(...lengths) / (lengths.reduce((sum, v) => sum + v, 0) / data.rows)).toBeGreaterThan(15);
    // Columns of one group go together; idf is the same for all documents of a query.
    expect(correlation(column(21), column(25))).toBeGreaterThan(0.3);
    expect(correlation(column(21), column(36))).toBeGreaterThan(0.5);
    for (let q = 0; q < 50; q++) {
      expect(new Set(column(16).subarray(data.offsets[q], data.offsets[q + 1])).size).toBe(1);
    }
    for (let f = 1; f <= 136; f++) expect(column(f).every(Number.isFinite), `${f}`).toBe(true);
  });

  it('with a cut features tell which side of it a grade is on, and no more', () => {
    const [plain, cut] = ['mslr', 'mslr(cut=2)'].map(spec => generateDataset(spec, { queries: 200, seed: 2 }));
    expect(cut!.blocks[0]!.data.every((value, i) => value === plain!.blocks[0]!.data[i])).toBe(true);
    const [before, after] = [plain!.label(), cut!.label()];
    expect(after.every((grade, row) => grade >= 2 === before[row]! >= 2)).toBe(true);
    // Of those on one side the grade before says nothing about the grade after, but that queries without relevant
    // documents have none.
    for (const side of [(grade: number) => grade >= 2, (grade: number) => grade < 2]) {
      const rows = [...before.keys()].filter(row => side(before[row]!));
      const [from, to] = [before, after].map(grades => Float32Array.from(rows, row => grades[row]!));
      expect(Math.abs(correlation(from!, to!))).toBeLessThan(0.06);
      const mean = (values: Float32Array) => values.reduce((sum, v) => sum + v, 0) / values.length;
      expect(mean(to!)).toBeCloseTo(mean(from!), 1);
    }
    // Another function may tell them instead: PageRank, for one, says something about it.
    const ranks = plain!.column(129);
    const labels = generateDataset('mslr(cut=2,within=appeal)', { queries: 200, seed: 2 }).label();
    expect(labels.every((grade, row) => grade >= 2 === before[row]! >= 2)).toBe(true);
    const low = [...before.keys()].filter(row => before[row]! < 2);
    const follows = (grades: Float64Array) =>
      correlation(
        low.map(row => grades[row]!),
        low.map(row => Math.log(1 + ranks[row]!)),
      );
    expect(follows(labels)).toBeGreaterThan(0.3);
    expect(Math.abs(follows(after))).toBeLessThan(0.05);
    expect(() => generate('mslr(cut=5)', { queries: 1, seed: 1 })).toThrowError(/at most 4/);
  });

  it('has 136 features and no other number', () => {
    expect(() => generate('mslr', { queries: 1, features: 50, seed: 1 })).toThrowError(/has 136 features, found 50/);
  });
});

describe('generate', () => {
  it('names what is wrong in a spec', () => {
    const start = (spec: string) => () => generate(spec, { queries: 1, seed: 1 });
    expect(start('cubik')).toThrowError(/no generator "cubik"; did you mean "cubic"\?/);
    expect(start('net(hidden=0)')).toThrowError(/hidden=0 is not allowed; hidden is a whole number of at least 1/);
    expect(start('net(3)')).toThrowError(/parameters as name=value/);
  });
});

describe('clicks on lists that were shown', () => {
  const make = (clicks: string | boolean, queries = 3000) =>
    generateDataset('cubic', { queries, documents: 10, features: 5, seed: 2, clicks });

  it('puts every document of a query at its own position, and leaves features and grades as they are', () => {
    const data = make('positions', 50);
    for (let q = 0; q < data.queries; q++) {
      const own = data.positions!.slice(data.offsets[q], data.offsets[q + 1]);
      expect([...own].sort((a, b) => a - b)).toEqual(Array.from(own, (_, i) => i + 1));
    }
    const plain = make(false, 50);
    expect(data.label()).toEqual(plain.label());
    expect(data.column(3)).toEqual(plain.column(3));
    expect(plain.positions).toBeUndefined();
  });

  it.each([0.5, 1, 2])('has position k examined with the chance (1/k)^%d', eta => {
    const data = make(`positions(eta=${eta})`);
    const clicks = data.label('clicks');
    expect([...new Set(clicks)].sort()).toEqual([0, 1]);
    for (const position of [1, 2, 5, 10]) {
      let [clicked, attracted] = [0, 0];
      for (let i = 0; i < data.rows; i++) {
        if (data.positions![i] !== position) continue;
        clicked += clicks[i]!;
        attracted += 0.05 + (0.95 * data.label()[i]!) / 4;
      }
      const deviation = Math.sqrt(clicked) / attracted;
      expect(Math.abs(clicked / attracted - position ** -eta)).toBeLessThan(4 * deviation);
    }
  });

  it('is shown by a ranker that is better than chance and far from right', () => {
    const { positions, label } = { positions: make('positions').positions!, label: make('positions').label() };
    expect(correlation(positions, label)).toBeLessThan(-0.1);
    expect(correlation(positions, label)).toBeGreaterThan(-0.6);
  });

  it('knows no other kind of clicks', () => {
    expect(() => make('cascade', 1)).toThrow('clicks are positions, as in positions(eta=2), found "cascade"');
    expect(() => make('positions(eta=-1)', 1)).toThrow('eta=-1 is not allowed');
  });
});
