/** The options that say how rankings are evaluated, shared by the commands that evaluate. */

import { quote } from '../../errors.js';
import { relevanceParameter } from '../../measures/measure.js';
import { presets } from '../../measures/presets.js';
import { choice, grouped, invalid, list, parsed, text } from '../command/option.js';

export const DEFAULT_MEASURES = 'ndcg@10,ap,rr';

export const loadOption = {
  load: list('module', 'a .js or .mjs module with your own measures and objectives; repeatable'),
};

/** The names of measures, for shells. */
export async function measureNames(): Promise<readonly string[]> {
  return (await import('../../measures/all.js')).measureDefinitions.map(({ name }) => name);
}

const GROUP = 'How rankings are evaluated:';

export const measureOptions = grouped(GROUP, {
  measure: list('spec', `measures, separated by commas; repeatable (default: ${DEFAULT_MEASURES})`, {
    short: 'm',
    tried: ['metric', 'metrics', 'eval-metric', 'eval-at'],
    suggests: measureNames,
  }),
  preset: choice(presets, 'name', 'conventions of another system', { default: 'listwise' }),
  label: text('name', 'label source to use if a measure names none'),
  rel: parsed('label', 'label from which a document is relevant, if a measure names none', relevance),
  ties: choice(
    ['expected', 'input', 'document'],
    'how',
    'equal scores: averaged over all orders, in input order, or by document id, descending (default: the preset says)',
  ),
  ...loadOption,
});

/** The same for a command that evaluates other measures where none is named. */
export function measuresOr(standard: string, what = 'measures, separated by commas; repeatable') {
  const description = `${what} (default: ${standard})`;
  const measure = list('spec', description, { short: 'm', group: GROUP, default: [standard], suggests: measureNames });
  return { ...measureOptions, measure };
}

function relevance(written: string): number {
  const value = relevanceParameter.parse(written);
  if (value !== undefined) return value;
  throw invalid(`--rel is ${relevanceParameter.allowed}, found ${quote(written)}`);
}
