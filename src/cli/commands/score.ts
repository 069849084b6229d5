import { readDataset } from '../../data/read.js';
import { writeText } from '../../data/whole-file.js';
import { type ScoreFormatName, scoreFormats, writeScores } from '../../data/writers/score-file.js';
import { loadModel } from '../../models/model-file.js';
import { scoreDataOnThreads } from '../../models/scoring-threads.js';
import type { CommandDefinition } from '../command.js';
import { usage } from '../contradictions.js';
import { dataOptions, readOptions, scoringOptions } from '../data-options.js';
import { count, fixed } from '../table.js';

export const score: CommandDefinition = {
  name: 'score',
  summary: 'Score documents with a model.',
  arguments: [
    { name: '<model>', description: 'a model file' },
    { name: '<data>', description: 'a file, a directory, a glob or - for stdin, plain or .gz' },
  ],
  options: [
    { flags: '--out <file>', description: 'where the scores go (default: stdout)' },
    { flags: '--ids', description: `write ${scoreFormats.ids.description}` },
    {
      flags: '--as <layout>',
      description: 'layout of the output: scores (one a line, in input row order), ids, or run (TREC)',
      choices: Object.keys(scoreFormats),
    },
    { flags: '--tag <name>', description: 'name of the system in a run', default: 'listwise' },
    ...dataOptions,
  ],
  examples: [
    'listwise score model.json test.txt --out scores.txt',
    'listwise score model.json test.txt --as run --tag mine --out mine.run',
  ],
  async run([modelFile, dataName], options, output) {
    const out = options.out as string | undefined;
    const as = layout(options.as as ScoreFormatName | undefined, options.ids === true);
    if (out === undefined && output.json) {
      throw usage('with --json the scores need --out FILE: stdout takes the result');
    }
    const reading = readOptions(options, output);
    const model = await loadModel(modelFile!);
    const data = await readDataset(dataName!, reading);
    const start = performance.now();
    const scoring = scoringOptions(options, output);
    const scores = await scoreDataOnThreads(model, data, scoring.threads, scoring);
    const seconds = (performance.now() - start) / 1000;
    const layoutOptions = { as, tag: options.tag as string };
    if (out === undefined) {
      await writeScores({ write: text => output.data(text) }, data, scores, layoutOptions);
      return;
    }
    await writeText(out, sink => writeScores(sink, data, scores, layoutOptions));
    output.result(
      'score',
      { model: modelFile, documents: data.rows, seconds },
      () => `${count(data.rows)} documents scored with ${modelFile} (${model.kind}) in ${fixed(seconds, 3)} s: ${out}`,
    );
  },
};

function layout(as: ScoreFormatName | undefined, ids: boolean): ScoreFormatName {
  if (!ids) return as ?? 'scores';
  if (as === undefined || as === 'ids') return 'ids';
  throw usage(`--ids and --as ${as} ask for different layouts; give one of them`);
}
