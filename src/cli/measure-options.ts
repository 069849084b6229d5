/** The flags that say how rankings are judged, shared by the commands that judge. */
import { ListwiseError, quote } from '../errors.js';
import { relevanceParameter } from '../measures/measure.js';
import { type AskedMeasure, type MeasureContext, parseMeasures } from '../measures/parse.js';
import { loadMeasures } from '../measures/plugin.js';
import { type Preset, type PresetName, presets } from '../measures/presets.js';
import type { Ties } from '../measures/query-view.js';
import type { CommandOption, OptionValues } from './command.js';
import type { Output } from './output.js';

export const DEFAULT_MEASURES = 'ndcg@10,ap,rr';

export const loadOption: CommandOption = {
  flags: '--load <module>',
  description: 'a .js or .mjs module of your own measures and objectives; repeatable',
  repeat: true,
};

const declared: readonly CommandOption[] = [
  {
    flags: '-m, --measure <spec>',
    description: `measures, separated by commas; repeatable (default: ${DEFAULT_MEASURES})`,
    repeat: true,
  },
  {
    flags: '--preset <name>',
    description: 'conventions of another system',
    default: 'listwise',
    choices: Object.keys(presets),
  },
  { flags: '--label <name>', description: 'label source to judge by, where a measure names none' },
  { flags: '--rel <label>', description: 'label from which a document is relevant, where a measure names none' },
  {
    flags: '--ties <how>',
    description: 'order of equal scores: as in the input, or by document id, descending (default: the preset says)',
    choices: ['input', 'document'],
  },
  loadOption,
];

export const measureOptions: readonly CommandOption[] = declared.map(option => ({
  ...option,
  group: 'How rankings are judged:',
}));

export interface Judging {
  readonly measures: readonly AskedMeasure[];
  readonly preset: PresetName;
  readonly ties: Ties;
  /** For further measures under the same conventions. */
  readonly context: MeasureContext;
}

export async function readJudging(options: OptionValues, output: Output): Promise<Judging> {
  const name = options.preset as PresetName;
  const preset: Preset = presets[name];
  const rel = relevance(options.rel as string | undefined);
  const given = options.measure as string[] | undefined;
  if (given === undefined) output.note(`no measure named: judging by ${DEFAULT_MEASURES}`);
  const context: MeasureContext = {
    more: await loadMeasures((options.load as string[] | undefined) ?? []),
    preset: { ...preset, parameters: { ...preset.parameters, ...(rel === undefined ? {} : { rel }) } },
    ...(options.label === undefined ? {} : { labels: options.label as string }),
  };
  // Asked for twice, a measure is still one.
  const byName = new Map(
    (given ?? [DEFAULT_MEASURES]).flatMap(text => parseMeasures(text, context)).map(asked => [asked.asked, asked]),
  );
  const ties = (options.ties as Ties | undefined) ?? preset.ties;
  return { measures: [...byName.values()], preset: name, ties, context };
}

function relevance(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = relevanceParameter.parse(text);
  if (value !== undefined) return value;
  throw new ListwiseError('option-invalid', `--rel is ${relevanceParameter.allowed}, found ${quote(text)}`);
}

/** What an empty query counted, in words. */
export function emptyWords(empty: number | 'skip'): string {
  return empty === 'skip' ? 'skipped' : String(empty);
}
