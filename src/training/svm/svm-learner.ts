/** A structural SVM as a learner: one cutting plane an iteration, until primal and dual meet (Joachims et al. 2009). */
import { z } from 'zod';
import type { Ranker } from '../../models/ranker.js';
import { dot } from '../../numeric/vectors.js';
import { gatherNumbers, inOrder } from '../../ranks/gathered.js';
import type { Transport } from '../../ranks/transport.js';
import { atOnce, type Steps } from '../../steps.js';
import type { StepRunner } from '../../threads/task-board.js';
import type { TaskCrew } from '../../threads/task-crew.js';
import type { IterationRecord } from '../iteration-record.js';
import type { Evaluation, Learner, StepRecord } from '../learner.js';
import type { SeenData } from '../linear/seen-data.js';
import { count, floats } from '../state-schema.js';
import type { TrainJob } from '../trainer.js';
import { solveDual } from './dual.js';
import { lossOf } from './losses.js';
import type { SvmOptions } from './options.js';
import { type SvmMemory, taskKinds } from './svm-tasks.js';

/** The mean loss of the queries is at least delta - psi . w for any weights w. */
interface Plane {
  readonly psi: Float64Array;
  readonly delta: number;
}

/** A plane of the working set: its multiplier, and for how many rounds that was 0. */
interface WorkingPlane extends Plane {
  readonly alpha: number;
  readonly idle: number;
}

interface SvmState {
  readonly planes: readonly WorkingPlane[];
  /** The most violated plane at the last weights, the next to be added. */
  readonly next: Plane | undefined;
  /** The weights of the least primal. */
  readonly weights: Float64Array;
  readonly primal: number;
  /** The weights of the model before, for losses that look back; none at first. */
  readonly before: Float64Array;
}

/** A plane that did nothing for so many rounds is given up. */
const MOST_IDLE = 50;

export class SvmLearner implements Learner<SvmState, Float64Array> {
  /** The optimum is what is asked for, not what was best on the way there. */
  readonly keeps = 'last';
  readonly #job: TrainJob<SvmOptions>;
  readonly #seen: SeenData;
  readonly #memory: SvmMemory;
  readonly #crew: TaskCrew;
  readonly #run: StepRunner;
  readonly #ranks: Transport;
  #state: SvmState;
  /** psi_k . psi_l of the working set. */
  #gram: Float64Array[] = [];

  constructor(
    job: TrainJob<SvmOptions>,
    seen: SeenData,
    memory: SvmMemory,
    crew: TaskCrew,
    run: StepRunner,
    ranks: Transport,
  ) {
    this.#job = job;
    this.#seen = seen;
    this.#memory = memory;
    this.#crew = crew;
    this.#run = run;
    this.#ranks = ranks;
    this.#state = {
      planes: [],
      next: undefined,
      weights: new Float64Array(seen.features),
      primal: Infinity,
      before: new Float64Array(0),
    };
  }

  *step(_: number): Steps<StepRecord> {
    const { c, gap: enough } = this.#job.options;
    const next = this.#state.next ?? (yield* this.#first());
    const planes = this.#solve([...this.#state.planes, { ...next, alpha: 0, idle: 0 }], c);
    const weights = new Float64Array(this.#seen.features);
    let dual = 0;
    for (const { psi, delta, alpha } of planes) {
      dual += alpha * delta;
      for (let f = 0; f < weights.length; f++) weights[f]! += alpha * psi[f]!;
    }
    const half = dot(weights, weights) / 2;
    dual -= half;
    const violated = yield* this.#mostViolated(weights);
    const slack = Math.max(0, violated.delta - dot(violated.psi, weights));
    const now = half + c * slack;
    const better = now < this.#state.primal;
    const primal = better ? now : this.#state.primal;
    const { before } = this.#state;
    this.#state = { planes, next: violated, primal, weights: better ? weights : this.#state.weights, before };
    const gap = primal - dual;
    const solved = gap <= enough * primal;
    return {
      pairs: gatherNumbers(this.#ranks, this.#memory.weights).reduce((count, weight) => count + Number(weight > 0), 0),
      rate: 0,
      cost: slack,
      facts: { primal, dual, gap, planes: planes.length },
      last: solved && !(yield* this.#goesOn()),
    };
  }

  /** At zero weights. The first model before is the direction of the first plane: a step from there to the right. */
  *#first(): Steps<Plane> {
    const zero = new Float64Array(this.#seen.features);
    const plane = yield* this.#mostViolated(zero);
    if (!lossOf(this.#job.options).looksBack) return plane;
    this.#seen.scores(plane.psi, this.#memory.before);
    this.#state = { ...this.#state, before: plane.psi };
    return yield* this.#mostViolated(zero);
  }

  /**
   * Where the right ranking depends on a model before, the one found takes its place and the problem is solved anew:
   * the primal falls from problem to problem (Yuille, Rangarajan 2003), until it hardly does.
   */
  *#goesOn(): Steps<boolean> {
    const { c, gap: enough } = this.#job.options;
    const { weights, primal: last } = this.#state;
    if (!lossOf(this.#job.options).looksBack) return false;
    this.#seen.scores(weights, this.#memory.before);
    const next = yield* this.#mostViolated(weights);
    const primal = dot(weights, weights) / 2 + c * Math.max(0, next.delta - dot(next.psi, weights));
    if (last - primal <= enough * last) return false;
    this.#state = { planes: [], next, weights, primal, before: weights };
    this.#gram = [];
    return true;
  }

  #solve(planes: readonly WorkingPlane[], c: number): WorkingPlane[] {
    this.#gram = gramOf(planes, this.#gram);
    const alpha = planes.map(plane => plane.alpha);
    solveDual(
      this.#gram,
      planes.map(({ delta }) => delta),
      c,
      alpha,
    );
    const solved = planes.map((plane, k) => ({
      ...plane,
      alpha: alpha[k]!,
      idle: alpha[k]! > 0 ? 0 : plane.idle + 1,
    }));
    const keeps = solved.map(({ idle }) => idle < MOST_IDLE);
    this.#gram = this.#gram.filter((_, k) => keeps[k]).map(row => row.filter((_, k) => keeps[k]));
    return solved.filter((_, k) => keeps[k]);
  }

  *#mostViolated(weights: Float64Array): Steps<Plane> {
    const { scores, parts, losses, psi } = this.#memory;
    this.#seen.scores(weights, scores);
    yield* this.#crew.steps(this.#run, taskKinds.indexOf('violate'), parts.length);
    psi.fill(0);
    const gather = (kind: number, feature: number) => atOnce(this.#run(kind, feature));
    inOrder(this.#ranks, psi, () => this.#crew.play(gather, taskKinds.indexOf('gather'), psi.length));
    let delta = 0;
    for (const loss of gatherNumbers(this.#ranks, losses)) if (!Number.isNaN(loss)) delta += loss;
    return { psi: Float64Array.from(psi), delta };
  }

  evaluate(): Steps<Evaluation> {
    return this.#job.evaluation.of(this.model(this.#state.weights));
  }

  readonly schema = {
    state: (log: readonly IterationRecord[]): z.ZodType<SvmState> => {
      const { features } = this.#seen;
      const plane = { psi: floats(features), delta: z.number() };
      const before = log.length > 0 && lossOf(this.#job.options).looksBack;
      const most = log.at(-1)?.facts?.planes ?? 0;
      return z.object({
        planes: z
          .array(z.object({ ...plane, alpha: z.number().min(0), idle: count }))
          .refine(({ length }) => length === most || (before && length === 0), `not ${most} planes`),
        next: log.length === 0 ? z.undefined() : z.object(plane),
        weights: floats(features),
        primal: log.length === 0 ? z.literal(Infinity) : z.number(),
        before: floats(before ? features : 0),
      });
    },
    parts: () => floats(this.#seen.features),
  };

  snapshot(): SvmState {
    return this.#state;
  }

  restore(state: SvmState): void {
    this.#state = state;
    if (state.before.length > 0) this.#seen.scores(state.before, this.#memory.before);
    this.#gram = [];
    for (let k = 1; k <= state.planes.length; k++) this.#gram = gramOf(state.planes.slice(0, k), this.#gram);
  }

  parts(): Float64Array {
    return this.#state.weights;
  }

  model(weights: Float64Array): Ranker {
    return this.#seen.model(weights);
  }

  remark(log: readonly IterationRecord[]): string | undefined {
    const { primal, gap } = log.at(-1)?.facts ?? {};
    const enough = this.#job.options.gap;
    if (primal === undefined || gap! <= enough * primal) return undefined;
    return `the optimum is not proven: primal and dual differ by ${((100 * gap!) / primal).toPrecision(2)} % (gap=${enough}); more rounds would go on`;
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}

/** With one more plane than before. */
function gramOf(planes: readonly Plane[], before: readonly Float64Array[]): Float64Array[] {
  const { psi } = planes.at(-1)!;
  const products = Float64Array.from(planes, other => dot(psi, other.psi));
  return [...before.map((row, k) => Float64Array.of(...row, products[k]!)), products];
}
