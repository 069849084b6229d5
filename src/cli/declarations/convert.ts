import { formats } from '../../interop/all.js';
import { transforms } from '../../interop/transform.js';
import { optional, required } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { choice, flag, text } from '../command/option.js';
import { overwriteOption } from '../options/run-folder.js';

const args = {
  model: required('a model file of any format that is read, plain or .gz'),
  out: { ...optional('the file to write; .gz compresses'), writes: true },
};

const named = (which: (format: (typeof formats)[number]) => unknown) =>
  formats
    .filter(which)
    .map(format => format.name)
    .join(', ');

const options = {
  to: text('format', `format to write: ${named(format => format.writes)}`),
  engine: text('name@version', 'write what this engine takes, and a search that uses it: opensearch@3.8, solr@9.5, …'),
  from: text('format', `format of the model (default: recognised): ${named(format => format.read)}`),
  out: text('file', 'the file to write, as OUT', { writes: true }),
  lossy: flag('write also what the format cannot hold exactly, and say what is lost'),
  features: text('file', "names and order of features: a search engine's feature set (JSON), or one name a line"),
  featureBase: choice(['0', '1'], 'n', 'what unnamed columns of the model count from'),
  offset: text('x', 'add this to every score; "auto": the least whole number for which no score of trees is below 0'),
  transform: choice(transforms, 'name', 'what OUT asks its system to make of sums (default: as MODEL does, if it can)'),
  ...overwriteOption,
  body: flag('write the request body that stores the model in Elasticsearch or OpenSearch'),
  name: text('name', 'name of the model there (default: that of OUT without extension)'),
};

export type ConvertLine = CommandLine<typeof args, typeof options>;

export const convert = defineCommand({
  arguments: args,
  options,
  needs: { name: { one: ['body', 'engine'], why: 'it names the model there' } },
  excludes: [['engine', 'body']],
  examples: [
    'listwise convert trees.json trees.txt --to lightgbm',
    'listwise convert lightgbm.txt model.json --to listwise',
    'listwise convert trees.json body.json --to ranklib --features feature-set.json --offset auto --body --name ranker',
    'listwise convert trees.json body.json --engine opensearch@3.8 --features feature-set.json --name ranker',
  ],
  run: async (line, output) => (await import('../commands/convert.js')).convert(line, output),
});
