import type { Dataset } from '../../data/dataset.js';
import { generators } from '../../data/generators/all.js';
import { generate as startGeneration } from '../../data/generators/generate.js';
import { splitQueryNumbers } from '../../data/split.js';
import { writers } from '../../data/writers/all.js';
import { parseShares, partName } from '../../data/writers/convert.js';
import { chooseWriter, writeDatasets } from '../../data/writers/write.js';
import type { CommandDefinition } from '../command.js';
import { usage } from '../contradictions.js';
import { wholeNumber } from '../data-options.js';
import { count, table } from '../table.js';

export const generate: CommandDefinition = {
  name: 'generate',
  summary: 'Make up ranking data of a known kind.',
  arguments: [{ name: '<kind>', description: generators.map(({ name, title }) => `${name}: ${title}`).join(' ') }],
  options: [
    { flags: '--out <file>', description: 'the file to write; .gz compresses' },
    { flags: '--queries <n>', description: 'number of queries', default: 1000 },
    {
      flags: '--docs <n>',
      description: `documents a query (default: ${generators.map(({ name, defaults }) => `${name} ${defaults.documents}`).join(', ')}); for mslr their mean`,
    },
    { flags: '--docs-fixed', description: 'exactly --docs documents for every query' },
    {
      flags: '--features <n>',
      description: `number of features (default: ${generators.map(({ name, defaults }) => `${name} ${defaults.features}`).join(', ')})`,
    },
    { flags: '--clicks', description: 'a second label source "clicks" in [0, 1]; in SVMlight it goes to OUT.clicks' },
    {
      flags: '--split <shares>',
      description: 'split by query, such as 0.6,0.2,0.2: OUT gets .train, .validate, .test',
    },
    { flags: '--skip <n>', description: 'leave out this many queries from the start', default: 0 },
    { flags: '--function-seed <n>', description: 'seed of the hidden function alone (default: --seed)' },
    {
      flags: '--to <format>',
      description: "format to write (default: from the output's name)",
      choices: writers.map(writer => writer.name),
    },
    { flags: '--sparse', description: 'leave out zeros, in SVMlight' },
  ],
  examples: [
    'listwise generate mslr --queries 1000 --out mslr.txt --split 0.6,0.2,0.2',
    'listwise generate cubic --queries 10000 --docs 50 --features 50 --out cubic.txt.gz',
    "listwise generate 'net(hidden=20)' --queries 100 --clicks --out net.parquet",
  ],
  async run([kind], options, output) {
    const out = options.out as string | undefined;
    if (out === undefined) throw usage('generate needs --out FILE');
    const writing = {
      format: options.to as string | undefined,
      sparse: options.sparse === true,
      threads: wholeNumber(options, 'threads', 1),
      note: (text: string) => output.note(text),
    };
    chooseWriter(out, writing);
    const seed = wholeNumber(options, 'seed', 0)!;
    const generation = startGeneration(kind!, {
      queries: wholeNumber(options, 'queries', 1)!,
      documents: wholeNumber(options, 'docs', 1),
      features: wholeNumber(options, 'features', 1),
      seed,
      functionSeed: wholeNumber(options, 'functionSeed', 0),
      clicks: options.clicks === true,
      skip: wholeNumber(options, 'skip', 0),
      equalSizes: options.docsFixed === true,
    });
    const shares = options.split === undefined ? undefined : parseShares(options.split as string);
    const numbers = shares && splitQueryNumbers(generation.queryIds, shares, seed);
    const progress = output.progress('generating');
    const total = generation.queryIds.length;
    const tallies = (numbers ?? [undefined]).map((part, p) => ({
      part,
      target: numbers === undefined ? out : partName(out, p, numbers.length),
      tally: new Tally(),
    }));
    // In queries; of the part that is being written, as many as its rows tell.
    let done = 0;
    let queriesARow = 0;
    function* counted(part: readonly number[] | undefined, tally: Tally): Iterable<Dataset> {
      for (const data of generation.parts(part)) {
        queriesARow = data.queries / data.rows;
        yield data;
        tally.add(data);
      }
    }
    const files = await writeDatasets(
      tallies.map(({ part, target, tally }) => ({ data: counted(part, tally), target })),
      { ...writing, progress: rows => progress.update((done += rows * queriesARow), total) },
    ).finally(() => progress.finish());
    const documents = tallies.reduce((sum, { tally }) => sum + tally.documents, 0);
    const features = generation.featureNames.length;
    output.result('generate', { files, queries: total, documents, features }, () => printText(tallies, features));
  },
};

/** What went into one file. */
class Tally {
  queries = 0;
  documents = 0;
  empty = 0;
  readonly grades: number[] = [];

  add(data: Dataset): void {
    const labels = data.label();
    this.queries += data.queries;
    this.documents += data.rows;
    for (const grade of labels) this.grades[grade] = (this.grades[grade] ?? 0) + 1;
    for (let q = 0; q < data.queries; q++) {
      if (labels.subarray(data.offsets[q], data.offsets[q + 1]).every(grade => grade === 0)) this.empty++;
    }
  }
}

function printText(tallies: readonly { target: string; tally: Tally }[], features: number): string {
  const grades = Math.max(...tallies.map(({ tally }) => tally.grades.length));
  const numbers = [
    'queries',
    'empty',
    'documents',
    'features',
    ...Array.from({ length: grades }, (_, g) => `grade ${g}`),
  ];
  const columns = [{ title: 'file' }, ...numbers.map(title => ({ title, align: 'right' as const }))];
  return table(
    columns,
    tallies.map(({ target, tally }) => [
      target,
      count(tally.queries),
      count(tally.empty),
      count(tally.documents),
      count(features),
      ...Array.from({ length: grades }, (_, g) => `${((100 * (tally.grades[g] ?? 0)) / tally.documents).toFixed(1)} %`),
    ]),
  );
}
