/** Every measure there is. Parsing, help, docs and error messages derive from this list. */
import { ap } from './definitions/ap.js';
import { bpref } from './definitions/bpref.js';
import { cndcg } from './definitions/cndcg.js';
import { dcg } from './definitions/dcg.js';
import { elevenPoint } from './definitions/eleven-point.js';
import { err } from './definitions/err.js';
import { f1 } from './definitions/f1.js';
import { gamma } from './definitions/gamma.js';
import { gmap } from './definitions/gmap.js';
import { iprec } from './definitions/iprec.js';
import { judged } from './definitions/judged.js';
import { ndcg } from './definitions/ndcg.js';
import { pairs } from './definitions/pairs.js';
import { precision } from './definitions/precision.js';
import { rbp } from './definitions/rbp.js';
import { recall } from './definitions/recall.js';
import { rprec } from './definitions/rprec.js';
import { rr } from './definitions/rr.js';
import { success } from './definitions/success.js';
import { tau } from './definitions/tau.js';
import { wta } from './definitions/wta.js';
import type { MeasureDefinition } from './measure.js';

/**
 * Every measure there is.
 *
 * @example
 * import { measureDefinitions } from 'listwise';
 *
 * for (const { name, title } of measureDefinitions) console.log(name, title);
 */
export const measureDefinitions = [
  ndcg,
  dcg,
  cndcg,
  ap,
  gmap,
  rr,
  precision,
  recall,
  success,
  rprec,
  f1,
  wta,
  err,
  rbp,
  bpref,
  pairs,
  gamma,
  tau,
  iprec,
  elevenPoint,
  judged,
] as const satisfies readonly MeasureDefinition[];

/**
 * The name of a built-in measure.
 *
 * @example
 * import type { MeasureName } from 'listwise/measures';
 *
 * const name: MeasureName = 'ndcg';
 */
export type MeasureName = (typeof measureDefinitions)[number]['name'];
