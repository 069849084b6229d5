import { readFeatureQueries, readFeatureSet } from '../../data/feature-set.js';
import { convertModel } from '../../interop/convert.js';
import { modelName } from '../../interop/target-name.js';
import { usage } from '../command/option.js';
import type { ConvertLine } from '../declarations/convert.js';
import { inFlags } from '../flags.js';
import type { Output } from '../output.js';
import { refuseOverwriting } from '../writable.js';

export async function convert({ args, options }: ConvertLine, output: Output): Promise<void> {
  const { features, featureBase: base } = options;
  const target = args.out ?? options.out;
  if (target === undefined || (args.out !== undefined && options.out !== undefined)) {
    throw usage('name the file to write once: as OUT after the model, or with --out');
  }
  await refuseOverwriting(target, options.force);
  const conversion = await convertModel(args.model, target, {
    from: options.from,
    to: options.to,
    engine: options.engine,
    lossy: options.lossy,
    featureSet: features === undefined ? undefined : await readFeatureSet(features),
    featureBase: base === undefined ? undefined : base === '0' ? 0 : 1,
    offset: options.offset,
    transform: options.transform,
    queries: features === undefined ? undefined : await readFeatureQueries(features),
    body: options.body ? (options.name ?? modelName(target)) : options.name,
    // With --engine there are files beside the one that was named.
    before: file => refuseOverwriting(file, options.force),
    progress: output.shares('converting'),
  });
  const losses = conversion.losses.map(inFlags);
  const notes = conversion.notes.map(inFlags);
  for (const loss of losses) output.note(`lost: ${loss}`);
  for (const note of notes) output.note(`note: ${note}`);
  output.result(
    'convert',
    { ...conversion, losses, notes },
    () => `${conversion.from} written as ${conversion.to}: ${conversion.files.join(', ')}`,
  );
}
