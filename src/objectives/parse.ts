/** From strings to objectives and back: `graded(lambdarank(ndcg), lambdarank(cndcg,labels=clicks), w=0.2)`. */
import { PRIMARY_LABEL } from '../data/primary-label.js';
import { didYouMean, ListwiseError, plural, quote } from '../errors.js';
import type { MeasureDefinition } from '../measures/measure.js';
import { resolveMeasure } from '../measures/parse.js';
import type { Preset } from '../measures/presets.js';
import { nameParameter, type Parameters, printParameters, readParameters } from '../spec/parameters.js';
import { parseSpec, printSpec, type Spec } from '../spec/spec.js';
import { objectiveDefinitions } from './all.js';
import { partsOf } from './form.js';
import type { Objective, ObjectiveContext, ObjectiveDefinition, Operands } from './objective.js';

/**
 * Measures and objectives of your own, and conventions, for the strings of objectives.
 *
 * @example
 * import { presets } from 'listwise';
 * import { type ObjectiveLibrary, parseObjective } from 'listwise/objectives';
 *
 * const library: ObjectiveLibrary = { preset: presets.letor };
 * const objective = parseObjective('lambdarank(ndcg)', library);
 */
export interface ObjectiveLibrary {
  /** Objectives and measures of the user's, beside the built-in ones. */
  readonly objectives?: readonly ObjectiveDefinition[];
  readonly measures?: readonly MeasureDefinition[];
  /** Conventions of the measures that objectives are built on. */
  readonly preset?: Preset;
}

/** Parameters that every objective has, read here. */
export const commonParameters = {
  labels: nameParameter({ default: PRIMARY_LABEL, description: 'The label source to learn from.' }),
} as const satisfies Parameters;

/**
 * An objective from its string.
 *
 * @example
 * import { parseObjective } from 'listwise/objectives';
 *
 * const objective = parseObjective('graded(lambdarank(ndcg),lambdarank(ndcg,labels=clicks),w=0.2)');
 * console.log(objective.spec, objective.labels);
 */
export function parseObjective(text: string, library: ObjectiveLibrary = {}): Objective {
  return resolve(parseSpec(text), {}, library);
}

function resolve(spec: Spec, context: ObjectiveContext, library: ObjectiveLibrary): Objective {
  const definitions: readonly ObjectiveDefinition[] = [...objectiveDefinitions, ...(library.objectives ?? [])];
  const definition = definitions.find(candidate => candidate.name === spec.name);
  if (definition === undefined) throw unknownObjective(spec.name, definitions);
  if (spec.cut !== undefined) {
    throw new ListwiseError(
      'spec-parameter',
      `an objective has no cut-off; write it at the measure, as in ${spec.name}(ndcg@${spec.cut})`,
    );
  }
  const parameters: Parameters = { ...definition.parameters, ...commonParameters };
  const defaults = context.labels === undefined ? {} : { labels: context.labels };
  const values = readParameters(definition.name, parameters, spec, defaults);
  const operands = new SpecOperands(definition, spec, values.labels, context, library);
  const body = definition.create(values, operands);
  // The label source of a combination is only a default for its parts, which print their own.
  const combines = definition.operands === 'objective' || definition.operands === 'objectives';
  const own = combines ? definition.parameters : parameters;
  const printed = [...operands.printed(), ...printParameters(own, values)];
  const parts = partsOf(body);
  const labels = parts.length > 0 ? parts.flatMap(part => part.labels) : [values.labels];
  return {
    ...body,
    labels: [...new Set(labels)],
    spec: definition.name + (printed.length > 0 ? `(${printed.join(',')})` : ''),
  };
}

function unknownObjective(name: string, definitions: readonly ObjectiveDefinition[]): ListwiseError {
  const names = definitions.map(candidate => candidate.name);
  const meant = definitions.find(({ otherNames }) => otherNames?.includes(name.toLowerCase()));
  const hint = meant === undefined ? didYouMean(name, names) : `: ${quote(meant.name)} takes its place.`;
  return new ListwiseError(
    'spec-unknown',
    `there is no objective ${quote(name)}${hint} Objectives: ${names.join(', ')}`,
  );
}

const operandKinds = {
  none: { most: 0, takes: 'no operand' },
  measure: { most: 1, takes: 'one measure' },
  objective: { most: 1, takes: 'one objective' },
  objectives: { most: Infinity, takes: 'objectives' },
} as const;

class SpecOperands implements Operands {
  readonly #definition: ObjectiveDefinition;
  readonly #spec: Spec;
  readonly #library: ObjectiveLibrary;
  readonly labels: string;
  readonly context: ObjectiveContext;
  readonly #printed: string[] = [];

  constructor(
    definition: ObjectiveDefinition,
    spec: Spec,
    labels: string,
    context: ObjectiveContext,
    library: ObjectiveLibrary,
  ) {
    this.#definition = definition;
    this.#spec = spec;
    this.#library = library;
    this.labels = labels;
    this.context = context;
    const { most, takes } = operandKinds[definition.operands];
    const extra = spec.args[most];
    if (extra !== undefined) {
      throw new ListwiseError('spec-parameter', `${definition.name} takes ${takes}, found ${quote(printSpec(extra))}`);
    }
  }

  get count(): number {
    return this.#spec.args.length;
  }

  measure(fallback: string) {
    const { measures, preset } = this.#library;
    const measure = resolveMeasure(this.#spec.args[0] ?? parseSpec(fallback), {
      labels: this.labels,
      ...(measures === undefined ? {} : { more: measures }),
      ...(preset === undefined ? {} : { preset }),
    });
    // Only a source of its own that is also the default would be lost in print.
    const hidden = measure.labels === PRIMARY_LABEL && this.labels !== PRIMARY_LABEL;
    this.#printed[0] = hidden ? withLabels(measure.spec, PRIMARY_LABEL) : measure.spec;
    return measure;
  }

  objective(i: number, context: Partial<ObjectiveContext> = {}): Objective {
    const spec = this.#spec.args[i];
    if (spec === undefined) {
      throw new ListwiseError(
        'spec-parameter',
        `${this.#definition.name} needs at least ${plural(i + 1, 'objective')}, found ${this.count}`,
      );
    }
    const objective = resolve(spec, { ...this.context, labels: this.labels, ...context }, this.#library);
    this.#printed[i] = objective.spec;
    return objective;
  }

  /** The operands' canonical strings. */
  printed(): readonly string[] {
    return this.#printed;
  }
}

function withLabels(measure: string, source: string): string {
  const spec = parseSpec(measure);
  return printSpec({ ...spec, named: new Map([...spec.named, ['labels', parseSpec(source)]]) });
}
