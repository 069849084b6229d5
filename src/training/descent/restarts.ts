/** Random first weights, and when to start again from new ones. */
import { layersOf, type NetShape, parameterCount } from '../../kernels/net-shape.js';
import type { Criterion } from '../../measures/criterion.js';
import { Random } from '../../numeric/random.js';
import type { IterationRecord } from '../iteration-record.js';
import { compareWatched, type Watched } from './watched.js';

/**
 * Weights uniform within plus and minus `initial` / sqrt(inputs of the unit), biases 0. `start` counts the restarts.
 */
export function randomParameters(shape: NetShape, initial: number, seed: number, start: number): Float64Array {
  const random = new Random(seed, `weights ${start}`);
  const parameters = new Float64Array(parameterCount(shape));
  for (const { inputs, weights, bias } of layersOf(shape)) {
    const span = initial / Math.sqrt(inputs);
    for (let i = weights; i < bias; i++) parameters[i] = span * (2 * random.uniform() - 1);
  }
  return parameters;
}

export interface RestartRule {
  readonly restartAfter: number;
  readonly restartWatch: Watched;
  readonly restartWhen: 'not-better' | 'constant';
}

/** `run` is the log since the last start. */
export function isStalled(rule: RestartRule, select: Criterion, run: readonly IterationRecord[]): boolean {
  const { restartAfter, restartWatch, restartWhen } = rule;
  if (restartAfter === 0 || run.length <= restartAfter) return false;
  const recent = run.slice(-restartAfter);
  const compare = (a: IterationRecord, b: IterationRecord) => compareWatched(restartWatch, select, a, b);
  if (restartWhen === 'constant') {
    const before = run[run.length - restartAfter - 1]!;
    return recent.every(record => compare(record, before) === 0);
  }
  const best = run.slice(0, -restartAfter).reduce((a, b) => (compare(b, a) > 0 ? b : a));
  return recent.every(record => !(compare(record, best) > 0));
}
