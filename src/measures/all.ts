/** Every measure there is. Parsing, help, docs and error messages derive from this list. */
import { ap } from './ap.js';
import { bpref } from './bpref.js';
import { cndcg } from './cndcg.js';
import { dcg } from './dcg.js';
import { elevenPoint } from './eleven-point.js';
import { err } from './err.js';
import { f1 } from './f1.js';
import { gamma } from './gamma.js';
import { gmap } from './gmap.js';
import { iprec } from './iprec.js';
import { judged } from './judged.js';
import type { MeasureDefinition } from './measure.js';
import { ndcg } from './ndcg.js';
import { pairs } from './pairs.js';
import { precision } from './precision.js';
import { rbp } from './rbp.js';
import { recall } from './recall.js';
import { rprec } from './rprec.js';
import { rr } from './rr.js';
import { success } from './success.js';
import { tau } from './tau.js';
import { wta } from './wta.js';

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

export type MeasureName = (typeof measureDefinitions)[number]['name'];
