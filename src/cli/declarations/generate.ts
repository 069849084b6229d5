import { generators } from '../../data/generators/all.js';
import { required } from '../command/argument.js';
import { type CommandLine, defineCommand } from '../command/command.js';
import { flag, number, switchOr, text, whole } from '../command/option.js';
import { writingOptions } from '../options/writing.js';

const args = { kind: required(generators.map(({ name, title }) => `${name}: ${title}`).join(' ')) };

const usual = (key: 'documents' | 'features') =>
  generators.map(({ name, defaults }) => `${name} ${defaults[key]}`).join(', ');

const options = {
  out: text('file', 'the file to write; .gz compresses', { writes: true, required: 'generate needs --out FILE' }),
  queries: whole('number of queries', { least: 1, default: 1000 }),
  docs: whole(`documents per query (default: ${usual('documents')}); for mslr their mean`, { least: 1 }),
  docsFixed: flag('exactly --docs documents for every query'),
  features: whole(`number of features (default: ${usual('features')})`, { least: 1 }),
  flips: number('share', 'share of documents whose label is replaced by another grade', { least: 0, most: 1 }),
  clicks: switchOr(
    'positions',
    /^positions(\(.*)?$/,
    'a second label source "clicks", in SVMlight in OUT.clicks: rates in [0, 1]; or with positions, or positions(eta=2), clicks on lists that a weak ranker showed, position k examined with the chance (1/k)^eta, and the positions in OUT.position',
  ),
  skip: whole('leave out this many queries from the start', { least: 0, default: 0 }),
  functionSeed: whole('seed of the hidden function alone (default: --seed)', { least: 0 }),
  ...writingOptions,
};

export type GenerateLine = CommandLine<typeof args, typeof options>;

export const generate = defineCommand({
  arguments: args,
  options,
  examples: [
    'listwise generate mslr --queries 1000 --out mslr.txt --split 0.6,0.2,0.2',
    'listwise generate cubic --queries 10000 --docs 50 --features 50 --out cubic.txt.gz',
    "listwise generate 'net(hidden=20)' --queries 100 --clicks --out net.parquet",
    "listwise generate 'cubic(aspects=2)' --queries 1000 --flips 0.03 --out noisy.txt",
    "listwise generate 'td(relevant=21)' --queries 75 --out td2004.txt",
    "listwise generate cubic --queries 5000 --docs 20 --clicks 'positions(eta=2)' --out clicked.txt",
  ],
  run: async (line, output) => (await import('../commands/generate.js')).generate(line, output),
});
