/** From the options that say how rankings are evaluated to measures and conventions. */
import { type AskedMeasure, type MeasureContext, parseMeasures } from '../../measures/parse.js';
import { loadMeasures } from '../../measures/plugin.js';
import { type Preset, type PresetName, presets } from '../../measures/presets.js';
import type { Ties } from '../../measures/query-view.js';
import type { OptionValues } from '../command/option.js';
import { DEFAULT_MEASURES, type measureOptions } from '../options/evaluation.js';
import type { Output } from '../output.js';

export type EvaluationValues = OptionValues<typeof measureOptions>;

export interface Evaluation {
  readonly measures: readonly AskedMeasure[];
  readonly preset: PresetName;
  readonly ties: Ties;
  /** For further measures under the same conventions. */
  readonly context: MeasureContext;
}

export async function readEvaluation(options: EvaluationValues, output: Output): Promise<Evaluation> {
  const { preset: name, rel, measure: given, label } = options;
  const preset: Preset = presets[name];
  if (given.length === 0) output.note(`no measure named: evaluating ${DEFAULT_MEASURES}`);
  const context: MeasureContext = {
    more: await loadMeasures(options.load),
    preset: { ...preset, parameters: { ...preset.parameters, ...(rel === undefined ? {} : { rel }) } },
    ...(label === undefined ? {} : { labels: label }),
  };
  const texts = given.length === 0 ? [DEFAULT_MEASURES] : given;
  // Asked for twice, a measure is still one.
  const byName = new Map(texts.flatMap(text => parseMeasures(text, context)).map(asked => [asked.asked, asked]));
  return { measures: [...byName.values()], preset: name, ties: options.ties ?? preset.ties, context };
}
