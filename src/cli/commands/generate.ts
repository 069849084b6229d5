import type { Dataset } from '../../data/dataset.js';
import { generate as startGeneration } from '../../data/generators/generate.js';
import { splitQueryNumbers } from '../../data/split.js';
import { parseShares, partName } from '../../data/writers/convert.js';
import { chooseWriter, writeDatasets } from '../../data/writers/write.js';
import { generateSection } from '../../report/commands/generate.js';
import { terminalText } from '../../report/render/terminal.js';
import type { GenerateLine } from '../declarations/generate.js';
import type { Output } from '../output.js';

export async function generate({ args, options }: GenerateLine, output: Output): Promise<void> {
  const { out, seed } = options;
  const writing = {
    format: options.to,
    sparse: options.sparse,
    threads: options.threads,
    note: (text: string) => output.note(text),
  };
  chooseWriter(out, writing);
  const generation = startGeneration(args.kind, {
    queries: options.queries,
    documents: options.docs,
    features: options.features,
    seed,
    functionSeed: options.functionSeed,
    clicks: options.clicks,
    flips: options.flips,
    skip: options.skip,
    equalSizes: options.docsFixed,
  });
  const shares = options.split === undefined ? undefined : parseShares(options.split);
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
  output.result('generate', { files, queries: total, documents, features }, screen =>
    terminalText([generateSection(tallies, features)], screen),
  );
}

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
