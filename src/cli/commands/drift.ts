import { DriftWatch } from '../../analysis/drift.js';
import { readDataset } from '../../data/read/read-dataset.js';
import { ListwiseError } from '../../errors.js';
import { openModel } from '../../interop/open-model.js';
import { matchFeatures } from '../../models/match-features.js';
import { readFor } from '../../models/read-for.js';
import { hash32 } from '../../numeric/random.js';
import { fixed } from '../../report/numbers.js';
import { textTable } from '../../report/render/text-table.js';
import { count } from '../../report/words.js';
import type { DriftLine } from '../declarations/drift.js';
import type { Output } from '../output.js';
import { modelMatch, readOptions } from '../settings/data.js';

/** Compares one document of each query, chosen by a hash, with what the model was trained on. */
export async function drift({ args, options }: DriftLine, output: Output): Promise<void> {
  const model = await openModel(options.model, { note: message => output.note(message) });
  const { sketch } = model.training ?? {};
  if (sketch === undefined) {
    const why = 'it does not say how its training data was distributed; train it again with this version';
    throw new ListwiseError('model-unsupported', why, { file: options.model });
  }
  const data = await readDataset(args.log, { ...readFor(model, await readOptions(options, output)), unlabelled: true });
  const columns = matchFeatures(model, data, { ...modelMatch(options, output), fill: true });
  const watch = new DriftWatch(sketch, model.featureNames);
  const row = new Float32Array(columns.length);
  for (let q = 0; q < data.queries; q++) {
    const n = data.offsets[q + 1]! - data.offsets[q]!;
    if (n === 0) continue;
    const at = data.offsets[q]! + (hash32(q, options.seed) % n);
    for (const [f, column] of columns.entries()) row[f] = column < 0 ? Number.NaN : data.feature(at, column);
    watch.add(row, 0, model.scoreRow(row));
  }
  const found = watch.drifts(options.alpha);
  const drifted = found.filter(item => item.drifted);
  const name = (feature: string | undefined) => feature ?? '(scores)';
  await output.resultTo(
    options.out,
    'drift',
    {
      model: options.model,
      queries: watch.documents,
      trainedOn: sketch.queries,
      alpha: options.alpha,
      drifted: drifted.map(({ feature }) => name(feature)),
      features: found.map(({ feature, ...rest }) => ({ feature: name(feature), ...rest })),
    },
    screen => {
      const share = (part: number) => `${fixed(100 * part, 1)} %`;
      const rows = (drifted.length > 0 ? drifted : found.slice(0, 5)).map(item => [
        name(item.feature),
        fixed(item.psi, 3),
        item.p < 1e-4 ? '<0.0001' : fixed(item.p, 4),
        share(item.below),
        share(item.above),
        `${share(item.missing)} (${share(item.missingBefore)})`,
      ]);
      const head = ['feature', 'psi', 'p', 'below', 'above', 'missing (was)'];
      const verdict =
        drifted.length === 0
          ? `nothing drifted: one document of each of ${count(watch.documents)} queries`
          : `${drifted.length} of ${found.length - 1} features and the scores drifted: one document of each of ${count(watch.documents)} queries`;
      return [
        verdict,
        textTable(
          head.map((title, c) => ({ title, ...(c > 0 && { align: 'right' as const }) })),
          rows,
          screen,
        ),
      ].join('\n');
    },
  );
}
