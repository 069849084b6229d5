import { type ScoreFormatName, scoreFormats } from '../../data/writers/score-file.js';
import { openModel } from '../../interop/open-model.js';
import { writeText } from '../../io/whole-file.js';
import { scoreInto } from '../../models/score-into.js';
import type { CommandDefinition } from '../command.js';
import { usage } from '../contradictions.js';
import { dataOptions, readOptions, readProgress, scoringOptions } from '../data-options.js';
import { count, fixed } from '../table.js';

export const score: CommandDefinition = {
  name: 'score',
  summary: 'Score documents with a model.',
  arguments: [
    { name: '<model>', description: 'a model file of any format: our own, LightGBM, XGBoost, RankLib, …' },
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
    'listwise score lightgbm.txt big.txt.gz --out scores.txt.gz',
    'listwise score model.json test.txt --as run --tag mine --out mine.run',
  ],
  async run([modelFile, dataName], options, output) {
    const out = options.out as string | undefined;
    const as = layout(options.as as ScoreFormatName | undefined, options.ids === true);
    if (out === undefined && output.json) {
      throw usage('with --json the scores need --out FILE: stdout takes the result');
    }
    const model = await openModel(modelFile!, { note: message => output.note(message) });
    const scored = {
      as,
      tag: options.tag as string,
      scoring: scoringOptions(options, output),
      read: { ...readOptions(options, output), progress: readProgress(output, 'scoring') },
    };
    if (out === undefined) {
      await scoreInto({ write: text => output.data(text) }, model, dataName!, scored);
      return;
    }
    const { documents, seconds } = await writeText(out, sink => scoreInto(sink, model, dataName!, scored));
    output.result(
      'score',
      { model: modelFile, documents, seconds },
      () => `${count(documents)} documents scored with ${modelFile} (${model.kind}) in ${fixed(seconds, 3)} s: ${out}`,
    );
  },
};

function layout(as: ScoreFormatName | undefined, ids: boolean): ScoreFormatName {
  if (!ids) return as ?? 'scores';
  if (as === undefined || as === 'ids') return 'ids';
  throw usage(`--ids and --as ${as} ask for different layouts; give one of them`);
}
