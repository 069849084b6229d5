// Shapes of data that trees are measured on. mslr is the generator's: many features of few bins. full and sparse are
// as other tables are: features of either follow from a few latent values of a document, and so do grades.
const LATENT = 8;
const FEATURES = 136;
/** Shares of grades 0 to 3; the rest is 4. As MSLR has them. */
const GRADES = [0.52, 0.32, 0.13, 0.02];

const continuous = { zeros: () => 0, value: score => score };
const counts = { zeros: () => 0, value: score => Math.floor(Math.exp(1.5 + 1.5 * score)) };
const positive = { value: score => Math.exp(score) };

/** By feature: how values come from a mix of latent ones, and the share of zeros. */
const kinds = {
  /** Half continuous, a quarter counts with long tails, a fifth mostly zero. */
  full(f, random) {
    const place = f / FEATURES;
    if (place < 0.55) return continuous;
    if (place < 0.8) return counts;
    const share = 0.7 + 0.25 * random.uniform();
    return { ...positive, zeros: () => share };
  },
  /** Half of all cells are zero, from none to nearly all of a column. */
  sparse(f, random) {
    const share = random.uniform();
    return { ...(f % 2 === 0 ? positive : counts), zeros: () => share };
  },
};

export const shapes = ['mslr', ...Object.keys(kinds)];

export async function dataOf(shape, { queries, documents, seed }) {
  const [{ generateDataset, DatasetBuilder }, { Random }] = await Promise.all([
    import('#listwise/data/index.js'),
    import('#listwise/numeric/random.js'),
  ]);
  if (shape === 'mslr') return generateDataset('mslr', { queries, documents, seed });
  const random = new Random(seed, `columns of ${shape}`);
  const columns = Array.from({ length: FEATURES }, (_, f) => {
    const kind = kinds[shape](f, random);
    const of = [random.below(LATENT), random.below(LATENT)];
    const mix = [random.gaussian(), random.gaussian()];
    const noise = 0.3 + random.uniform();
    // The share of zeros lies below a threshold of the mix, which is normal.
    const deviation = Math.hypot(mix[0], of[0] === of[1] ? 0 : mix[1], noise);
    return { ...kind, of, mix, noise, deviation, zero: normalQuantile(kind.zeros()) };
  });
  const builder = new DatasetBuilder({ absent: 0 });
  for (let q = 0; q < queries; q++) builder.append(query(q, columns, documents, new Random(seed, `${shape} ${q}`)));
  return builder.finish();
}

function query(q, columns, documents, random) {
  const rows = Math.round(documents * (0.5 + random.uniform()));
  const shift = Array.from({ length: LATENT }, () => 0.5 * random.gaussian());
  const latent = Array.from({ length: rows }, () => shift.map(own => own + random.gaussian()));
  const relevance = latent.map(
    z => z[0] + 0.7 * z[1] * z[2] + 0.5 * Math.sin(2 * z[3]) + 0.5 * Math.max(0, z[4]) + 0.8 * random.gaussian(),
  );
  const cells = new Float32Array(rows * columns.length);
  for (const [f, { of, mix, noise, deviation, zero, value }] of columns.entries()) {
    for (let i = 0; i < rows; i++) {
      const other = of[0] === of[1] ? 0 : mix[1] * latent[i][of[1]];
      const score = (mix[0] * latent[i][of[0]] + other + noise * random.gaussian()) / deviation;
      cells[f * rows + i] = score < zero ? 0 : value(score);
    }
  }
  const label = Float64Array.from(relevance, own => gradeOf(own / 1.8));
  return {
    rows,
    width: columns.length,
    stride: rows,
    columns: cells,
    labels: { label },
    queries: [{ id: String(q + 1), rows }],
  };
}

function gradeOf(score) {
  let share = 0;
  const place = normalShare(score - 0.2);
  for (const [grade, own] of GRADES.entries()) {
    share += own;
    if (place < share) return grade;
  }
  return GRADES.length;
}

/** The share of a normal distribution below x, to three digits or so. */
function normalShare(x) {
  return 1 / (1 + Math.exp(-1.702 * x));
}

function normalQuantile(share) {
  return share === 0 ? -Infinity : Math.log(share / (1 - share)) / 1.702;
}
