/** Every objective there is. Parsing, help, docs and error messages derive from this list. */
import { approx } from './approx.js';
import { discretebounded } from './discretebounded.js';
import { graded } from './graded.js';
import { hinge } from './hinge.js';
import { lambdarank } from './lambdarank.js';
import { listmle } from './listmle.js';
import { listnet } from './listnet.js';
import { localcost } from './localcost.js';
import { localgradient } from './localgradient.js';
import { normalise } from './normalise.js';
import type { ObjectiveDefinition } from './objective.js';
import { rankcosine } from './rankcosine.js';
import { ranknet } from './ranknet.js';
import { schedule } from './schedule.js';
import { sigmoid } from './sigmoid.js';
import { softrank } from './softrank.js';
import { springsmooth } from './springsmooth.js';
import { squared } from './squared.js';
import { sum } from './sum.js';
import { xendcg } from './xendcg.js';

export const objectiveDefinitions = [
  lambdarank,
  ranknet,
  sigmoid,
  springsmooth,
  localcost,
  localgradient,
  discretebounded,
  hinge,
  softrank,
  approx,
  listnet,
  listmle,
  rankcosine,
  xendcg,
  squared,
  graded,
  schedule,
  sum,
  normalise,
] as const satisfies readonly ObjectiveDefinition[];

export type ObjectiveName = (typeof objectiveDefinitions)[number]['name'];
