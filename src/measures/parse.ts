/** From strings to measures and back. */
import { didYouMean, ListwiseError, quote } from '../errors.js';
import { type Parameters, printParameters, readParameters } from '../spec/parameters.js';
import { parseSpec, parseSpecList, printSpec, type Spec } from '../spec/spec.js';
import { measureDefinitions } from './all.js';
import { swapByEvaluation } from './forms/swap.js';
import { arithmeticMean, commonParameters, type Measure, type MeasureDefinition } from './measure.js';
import { type Preset, presets } from './presets.js';

/**
 * What the strings of measures are read with.
 *
 * @example
 * import { parseMeasures, presets } from 'listwise';
 * import type { MeasureContext } from 'listwise/measures';
 *
 * const context: MeasureContext = { preset: presets.trec_eval, labels: 'clicks' };
 * const measures = parseMeasures('ndcg@10', context);
 */
export interface MeasureContext {
  /** Conventions that change the defaults. */
  preset?: Preset;
  /** The label source where a measure names none. */
  labels?: string;
  /** Measures of the user's, beside the built-in ones. */
  more?: readonly MeasureDefinition[];
}

/**
 * A measure as it was asked for: `asked` is the user's own name for it, which may be an alias.
 *
 * @example
 * import { type AskedMeasure, parseMeasures } from 'listwise';
 *
 * const [first]: AskedMeasure[] = parseMeasures('P_5');
 * console.log(first?.asked, first?.measure.spec); // P_5 p@5
 */
export interface AskedMeasure {
  readonly asked: string;
  readonly measure: Measure;
}

/**
 * A measure from its string.
 *
 * @example
 * import { parseMeasure } from 'listwise';
 *
 * console.log(parseMeasure('ndcg_cut_10').spec); // ndcg@10
 */
export function parseMeasure(text: string, context: MeasureContext = {}): Measure {
  return resolveMeasure(parseSpec(text), context);
}

/**
 * Several measures separated by commas; `ndcg@1,3,5` is three.
 *
 * @example
 * import { evaluate, parseMeasures } from 'listwise';
 *
 * const measures = parseMeasures('ndcg@1,3,5,ap');
 * evaluate(data, scores, measures);
 */
export function parseMeasures(text: string, context: MeasureContext = {}): AskedMeasure[] {
  return parseSpecList(text).map(spec => ({ asked: printSpec(spec), measure: resolveMeasure(spec, context) }));
}

/**
 * A measure in any way that programs have it: its string, as `parseMeasures` gives it, or the measure itself.
 *
 * @example
 * import { evaluate, type MeasureLike, parseMeasure, parseMeasures } from 'listwise';
 *
 * const asked: MeasureLike[] = ['ndcg@10', parseMeasure('ap'), ...parseMeasures('p@1,5')];
 * evaluate(data, scores, asked);
 */
export type MeasureLike = string | AskedMeasure | Measure;

/** Measures as asked for, from a string such as `ndcg@10,ap` or from a list. */
export function askedMeasures(given: string | readonly MeasureLike[], context: MeasureContext = {}): AskedMeasure[] {
  if (typeof given === 'string') return parseMeasures(given, context);
  return given.flatMap(one => {
    if (typeof one === 'string') return parseMeasures(one, context);
    return 'measure' in one ? one : { asked: one.spec, measure: one };
  });
}

export function resolveMeasure(asked: Spec, context: MeasureContext): Measure {
  const definitions: readonly MeasureDefinition[] = [...measureDefinitions, ...(context.more ?? [])];
  const { definition, spec } = resolveName(asked, definitions);
  if (spec.args.length > 0) {
    throw new ListwiseError(
      'spec-parameter',
      `${spec.name} takes parameters as name=value, found ${quote(printSpec(spec.args[0]!))}`,
    );
  }
  const preset: Preset = context.preset ?? presets.listwise;
  const cut = spec.cut ?? preset.cuts?.[definition.name];
  if (cut !== undefined && definition.cutoff === 'none') {
    throw new ListwiseError('spec-parameter', `${definition.name} has no cut-off; write it without "@${cut}"`);
  }
  if (cut === undefined && definition.cutoff === 'required') {
    throw new ListwiseError('spec-parameter', `${definition.name} needs a cut-off, as in ${definition.name}@10`);
  }
  const parameters: Parameters = { ...definition.parameters, ...commonParameters };
  const defaults = {
    ...preset.parameters,
    ...preset.measures?.[definition.name],
    ...(context.labels === undefined ? {} : { labels: context.labels }),
  };
  const values = readParameters(definition.name, parameters, spec, defaults);
  const body = definition.create(values, { cut, labels: values.labels });
  const printed = printParameters(parameters, values);
  return {
    spec: definition.name + (printed.length > 0 ? `(${printed.join(',')})` : '') + (cut === undefined ? '' : `@${cut}`),
    range: definition.range,
    labels: values.labels,
    empty: values.empty,
    value: body.value,
    ...(body.overTies && { overTies: body.overTies }),
    swap: body.swap ?? swapByEvaluation(body),
    ...(body.soft && { soft: body.soft }),
    ...(body.approx && { approx: body.approx }),
    ...(body.expectation && { expectation: body.expectation }),
    aggregate: body.aggregate ?? arithmeticMean,
  };
}

/**
 * By name or alias, as it is written or else in any case. trec_eval's names are aliases: `P_5` is `p@5`,
 * `iprec_at_recall_0.10` is `iprec(recall=0.10)`; so are those that it is asked by: `ndcg_cut.5` is `ndcg_cut_5`.
 */
function resolveName(
  asked: Spec,
  definitions: readonly MeasureDefinition[],
): { definition: MeasureDefinition; spec: Spec } {
  const written = asked.name.replace(/^(.*?[A-Za-z])\.(?=[0-9])/, '$1_');
  for (const [name, flags] of [[asked.name], [written], [written, 'i']] as const) {
    for (const definition of definitions) {
      for (const alias of [definition.name, ...(definition.aliases ?? [])]) {
        const found = matchAlias(alias, name, flags);
        if (found === undefined) continue;
        const named = new Map(asked.named);
        for (const [key, value] of found.named) {
          if (named.has(key)) throw saidTwice(asked, key);
          named.set(key, { name: value, args: [], named: new Map(), cut: undefined });
        }
        if (found.cut !== undefined && asked.cut !== undefined) throw saidTwice(asked, 'cut-off');
        return { definition, spec: { ...asked, name: definition.name, named, cut: found.cut ?? asked.cut } };
      }
    }
  }
  const names = definitions.map(definition => definition.name);
  throw new ListwiseError(
    'spec-unknown',
    `there is no measure ${quote(asked.name)}${didYouMean(asked.name.toLowerCase(), names)} Measures: ${names.join(', ')}`,
  );
}

function saidTwice(asked: Spec, what: string): ListwiseError {
  return new ListwiseError(
    'spec-parameter',
    `${quote(printSpec(asked))} gives the ${what} twice; the name ${asked.name} already says it`,
  );
}

function matchAlias(
  alias: string,
  name: string,
  flags: string | undefined,
): { cut: number | undefined; named: Map<string, string> } | undefined {
  const keys: string[] = [];
  const pattern = alias
    .replace(/[.+]/g, '\\$&')
    .replace('*', () => {
      keys.push('*');
      return '([1-9][0-9]*)';
    })
    .replace(/\{(\w+)\}/g, (_, key: string) => {
      keys.push(key);
      return '([0-9.]+)';
    });
  const match = new RegExp(`^${pattern}$`, flags).exec(name);
  if (match === null) return undefined;
  const named = new Map<string, string>();
  let cut: number | undefined;
  for (const [i, key] of keys.entries()) {
    if (key === '*') cut = Number(match[i + 1]);
    else named.set(key, match[i + 1]!);
  }
  return { cut, named };
}
