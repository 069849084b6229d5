/** Every objective there is. Parsing, help, docs and error messages derive from this list. */
import { approx } from './definitions/approx.js';
import { debias } from './definitions/debias.js';
import { discretebounded } from './definitions/discretebounded.js';
import { graded } from './definitions/graded.js';
import { hinge } from './definitions/hinge.js';
import { lambdarank } from './definitions/lambdarank.js';
import { listmle } from './definitions/listmle.js';
import { listnet } from './definitions/listnet.js';
import { localcost } from './definitions/localcost.js';
import { localgradient } from './definitions/localgradient.js';
import { logistic } from './definitions/logistic.js';
import { normalise } from './definitions/normalise.js';
import { plackettluce } from './definitions/plackettluce.js';
import { rankcosine } from './definitions/rankcosine.js';
import { ranknet } from './definitions/ranknet.js';
import { regularise } from './definitions/regularise.js';
import { schedule } from './definitions/schedule.js';
import { sigmoid } from './definitions/sigmoid.js';
import { softrank } from './definitions/softrank.js';
import { spring } from './definitions/spring.js';
import { springsmooth } from './definitions/springsmooth.js';
import { squared } from './definitions/squared.js';
import { sum } from './definitions/sum.js';
import { xendcg } from './definitions/xendcg.js';
import type { ObjectiveDefinition } from './objective.js';

/**
 * Every objective there is.
 *
 * @example
 * import { objectiveDefinitions } from 'listwise/objectives';
 *
 * for (const { name, title } of objectiveDefinitions) console.log(name, title);
 */
export const objectiveDefinitions = [
  lambdarank,
  ranknet,
  sigmoid,
  springsmooth,
  localcost,
  localgradient,
  discretebounded,
  hinge,
  spring,
  softrank,
  approx,
  plackettluce,
  listnet,
  listmle,
  rankcosine,
  xendcg,
  squared,
  logistic,
  graded,
  schedule,
  sum,
  normalise,
  regularise,
  debias,
] as const satisfies readonly ObjectiveDefinition[];

/**
 * The name of a built-in objective.
 *
 * @example
 * import type { ObjectiveName } from 'listwise/objectives';
 *
 * const name: ObjectiveName = 'lambdarank';
 */
export type ObjectiveName = (typeof objectiveDefinitions)[number]['name'];
