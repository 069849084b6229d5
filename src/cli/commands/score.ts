import { type ScoreFormatName, scoreFormats } from '../../data/writers/score-file.js';
import { openModel } from '../../interop/open-model.js';
import { writeText } from '../../io/whole-file.js';
import type { Ranker } from '../../models/ranker.js';
import type { RowOrder } from '../../models/row-work.js';
import { scoreInto } from '../../models/score-into.js';
import { fixed } from '../../report/numbers.js';
import { count } from '../../report/words.js';
import { usage } from '../command/option.js';
import type { ScoreLine } from '../declarations/score.js';
import type { Output } from '../output.js';
import { readBackground } from '../settings/background.js';
import { readOptions, readProgress, scoringOptions } from '../settings/data.js';

export async function score({ args, options }: ScoreLine, output: Output): Promise<void> {
  const { out } = options;
  const as = layout(options.as, options.ids);
  if (out === undefined && output.json) {
    throw usage('with --json the scores need --out FILE: stdout takes the result');
  }
  const model = await openModel(args.model, { note: message => output.note(message) });
  const scored = {
    as,
    order: await orderOf(model, options, as, output),
    tag: options.tag,
    scoring: scoringOptions(options, output),
    read: { ...(await readOptions(options, output)), progress: readProgress(output, 'scoring') },
  };
  if (out === undefined) {
    await scoreInto({ write: text => output.data(text) }, model, args.data, scored);
    return;
  }
  const { documents, seconds } = await writeText(out, sink => scoreInto(sink, model, args.data, scored));
  output.result(
    'score',
    { model: args.model, documents, seconds },
    () => `${count(documents)} documents scored with ${args.model} (${model.kind}) in ${fixed(seconds, 3)} s: ${out}`,
  );
}

function layout(as: ScoreFormatName | undefined, ids: boolean): ScoreFormatName {
  if (!ids) return as ?? 'scores';
  if (as === undefined || as === 'ids') return 'ids';
  throw usage(`--ids and --as ${as} ask for different layouts; give one of them`);
}

/** What is written of each document. */
async function orderOf(
  model: Ranker,
  options: ScoreLine['options'],
  as: ScoreFormatName,
  output: Output,
): Promise<RowOrder> {
  const { contributions, leaves } = options;
  if (!contributions && !leaves) return { name: 'scores' };
  if (scoreFormats[as].by === 'query') {
    throw usage(`--as ${as} holds one score a document, not ${leaves ? '--leaves' : '--contributions'}`);
  }
  if (leaves) return { name: 'leaves' };
  return { name: 'contributions', background: await readBackground(model, options, output) };
}
