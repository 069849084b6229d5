import { basename } from 'node:path';
import { readFeatureSet } from '../../data/feature-set.js';
import { formats } from '../../interop/all.js';
import { convertModel } from '../../interop/convert.js';
import type { CommandDefinition } from '../command.js';
import { usage } from '../contradictions.js';

const named = (which: (format: (typeof formats)[number]) => unknown) =>
  formats
    .filter(which)
    .map(format => format.name)
    .join(', ');

export const convert: CommandDefinition = {
  name: 'convert',
  summary: "Write a model in another system's format, or read one from there.",
  arguments: [
    { name: '<model>', description: 'a model file of any format that is read, plain or .gz' },
    { name: '[out]', description: 'the file to write; .gz compresses' },
  ],
  options: [
    { flags: '--to <format>', description: `format to write: ${named(format => format.writes)}` },
    {
      flags: '--from <format>',
      description: `format of the model (default: recognised): ${named(format => format.read)}`,
    },
    { flags: '--out <file>', description: 'the file to write, as OUT' },
    { flags: '--lossy', description: 'write also what the format cannot hold exactly, and say what is lost' },
    {
      flags: '--features <file>',
      description: "names and order of features: a search engine's feature set (JSON), or one name a line",
    },
    { flags: '--feature-base <n>', description: 'what unnamed columns of the model count from', choices: ['0', '1'] },
    {
      flags: '--offset <x>',
      description: 'add this to every score; "auto": the least whole number for which no score of trees is below 0',
    },
    { flags: '--body', description: 'write the request body that stores the model in Elasticsearch or OpenSearch' },
    { flags: '--name <name>', description: 'name of the model there (default: that of OUT without extension)' },
  ],
  examples: [
    'listwise convert trees.json trees.txt --to lightgbm',
    'listwise convert lightgbm.txt model.json --to listwise',
    'listwise convert trees.json body.json --to ranklib --features feature-set.json --offset auto --body --name ranker',
  ],
  async run([source, given], options, output) {
    const target = given ?? (options.out as string | undefined);
    if (target === undefined || (given !== undefined && options.out !== undefined)) {
      throw usage('name the file to write once: as OUT after the model, or with --out');
    }
    const features = options.features as string | undefined;
    const base = options.featureBase as '0' | '1' | undefined;
    const name = (options.name as string | undefined) ?? basename(target).replace(/\.[^.]*(\.gz)?$/, '');
    if (options.name !== undefined && options.body !== true) throw usage('--name names the model of --body; give both');
    const conversion = await convertModel(source!, target, {
      from: options.from as string | undefined,
      to: options.to as string | undefined,
      lossy: options.lossy === true,
      featureSet: features === undefined ? undefined : await readFeatureSet(features),
      featureBase: base === undefined ? undefined : base === '0' ? 0 : 1,
      offset: options.offset as string | undefined,
      body: options.body === true ? name : undefined,
      progress: output.shares('converting'),
    });
    for (const loss of conversion.losses) output.note(`lost: ${loss}`);
    for (const note of conversion.notes) output.note(`note: ${note}`);
    output.result(
      'convert',
      { ...conversion },
      () => `${conversion.from} written as ${conversion.to}: ${conversion.files.join(', ')}`,
    );
  },
};
