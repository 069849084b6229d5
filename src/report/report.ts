/** A page of a result in one call, for programs; commands make theirs with the command line as origin. */
import type { Comparison } from '../analysis/compare.js';
import { ListwiseError } from '../errors.js';
import type { MeasureResult } from '../measures/evaluate.js';
import type { Trained } from '../training/train.js';
import { version } from '../version.js';
import { compareDocument } from './commands/compare.js';
import { ALPHA, evaluateDocument } from './commands/evaluate.js';
import { trainDocument } from './commands/train.js';
import { dataOrigin, type NamedData } from './data-origin.js';
import type { Document, Origin } from './document.js';
import { renderReport } from './render/html.js';

/**
 * What a page says beside the result.
 *
 * @example
 * import type { ReportOptions } from 'listwise';
 *
 * const options: ReportOptions = { title: 'Search, May', name: 'trees', command: 'npm run evaluate' };
 */
export interface ReportOptions {
  readonly title?: string | undefined;
  /** What the ranking is called on the page of an evaluation (default: the ranking). */
  readonly name?: string | undefined;
  /** What made the page, for its foot: a command line or the name of a program. */
  readonly command?: string | undefined;
}

/**
 * One HTML file, with nothing from anywhere else, of what `train`, `evaluate` or `compareSystems` gave.
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import { report, train } from 'listwise';
 *
 * const trained = await train({ model: 'trees', data });
 * await writeFile('training.html', report(trained));
 */
export function report(
  result: Trained | Comparison | readonly MeasureResult[],
  { title, name = 'the ranking', command = 'report()' }: ReportOptions = {},
): string {
  const page = (document: Document, origin: Partial<Origin>): string =>
    renderReport({
      ...document,
      ...(title !== undefined && { title }),
      origin: { command, options: {}, version, data: [], seed: 1, ...origin },
    });
  if ('log' in result) {
    const { trainer: model, objective, select, seed, options } = result;
    const shown = { model, ...(objective !== undefined && { objective }), select, ...texts(options) };
    return page(trainDocument({ trained: result }), { options: shown, seed });
  }
  if ('pairs' in result) {
    const { ties } = result.systems[0]!.results[0]!.ranking;
    const systems = result.systems.map(({ name, results }) => ({ name, ...results[0]!.ranking }));
    const curves = { context: {}, ties };
    const data = distinct(systems.map(({ name, data }) => ({ file: name, data })));
    return page(compareDocument({ systems, comparison: result, curves }), { data });
  }
  const first = result[0];
  if (first === undefined) throw new ListwiseError('option-invalid', 'there are no results to make a page of');
  const { ranking } = first;
  const document = evaluateDocument({
    system: { name, ...ranking },
    results: result,
    asked: result.map(({ asked }) => asked),
    curves: { context: {}, ties: ranking.ties, alpha: ALPHA },
  });
  return page(document, { data: distinct([{ file: name, data: ranking.data }]) });
}

/** Systems that rank the same data share its line. */
function distinct(all: readonly NamedData[]): Origin['data'] {
  return all.filter(({ data }, i) => all.findIndex(other => other.data === data) === i).map(dataOrigin);
}

function texts(options: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(options).map(([key, value]) => [key, String(value)]));
}
