/** A system to be evaluated: scores for documents, wherever they come from: a run, a score file or a model. */
import type { Dataset } from '../data/dataset.js';
import { rankingKind, readStart } from '../data/readers/ranking-kind.js';
import { readScores } from '../data/readers/score-file.js';
import { joinRun } from '../data/readers/trec/join.js';
import { readRun } from '../data/readers/trec/run.js';
import { few } from '../errors.js';
import { useModel } from '../interop/open-model.js';
import { recognise } from '../interop/recognise.js';
import type { Input } from '../io/inputs.js';
import type { Ranker } from '../models/ranker.js';
import { type ScoringOptions, scoreDataOnThreads } from '../models/scoring-threads.js';

/**
 * A system to be evaluated: scores for documents, wherever they come from.
 *
 * @example
 * import { scoreData, type System } from 'listwise';
 *
 * const system: System = { name: 'trees', data: test, scores: scoreData(model, test) };
 */
export interface System {
  readonly name: string;
  /** What was ranked, with its labels; a run brings its own documents. */
  readonly data: Dataset;
  /** One score a row of `data`. */
  readonly scores: ArrayLike<number>;
  /** Queries of a run without judgments, which are left out, and judged queries that the run lacks. */
  readonly withoutJudgments?: readonly string[];
  readonly withoutDocuments?: readonly string[];
}

export type SystemKind = 'run' | 'scores' | 'model';

/**
 * How a system is read.
 *
 * @example
 * import type { SystemOptions } from 'listwise/analysis';
 *
 * const options: SystemOptions = { kind: 'run', complete: true };
 */
export interface SystemOptions extends ScoringOptions {
  /** Threads that score with a model; 1 where left out. */
  threads?: number | undefined;
  /** What the file is; by default inferred from its first line. */
  kind?: SystemKind | undefined;
  /** For runs: evaluate every query of the judgments (trec_eval -c). */
  complete?: boolean | undefined;
}

/** A system before there is data to rank. */
export interface OpenedSystem {
  readonly name: string;
  /** Where it is one: says how data for it is read. */
  readonly model: Ranker | undefined;
  /** The system over data or judgments. */
  over(judged: Dataset): Promise<System>;
}

/**
 * Reads a run, a score file or a model over data or judgments.
 *
 * @example
 * import { readDataset } from 'listwise';
 * import { readSystem } from 'listwise/analysis';
 * import { fileInput } from 'listwise/data';
 *
 * const system = await readSystem('bm25', await fileInput('bm25.run'), await readDataset('test.txt'));
 */
export async function readSystem(
  name: string,
  input: Input,
  judged: Dataset,
  options: SystemOptions = {},
): Promise<System> {
  return (await openSystem(name, input, options)).over(judged);
}

/** As `readSystem`, for callers that read the data once they know the models. */
export async function openSystem(name: string, input: Input, options: SystemOptions = {}): Promise<OpenedSystem> {
  const { kind, whole } = options.kind === undefined ? await findKind(input) : { kind: options.kind, whole: input };
  const model = kind === 'model' ? useModel(await wholeContent(whole), input.name, options).model : undefined;
  const systems: Record<SystemKind, (judged: Dataset) => Promise<System>> = {
    async run(judged) {
      const joined = joinRun(await readRun(whole), judged, options);
      if (joined.withoutJudgments.length > 0) {
        options.note?.(`${input.name}: queries without judgments are left out: ${few(joined.withoutJudgments)}`);
      }
      if (joined.withoutDocuments.length > 0) {
        const how = options.complete ? 'count as empty lists' : 'are left out (`complete: true` counts them)';
        options.note?.(`${input.name}: judged queries that the run lacks ${how}: ${few(joined.withoutDocuments)}`);
      }
      const { data, scores, withoutJudgments, withoutDocuments } = joined;
      return { name, data, scores, withoutJudgments, withoutDocuments };
    },
    async scores(judged) {
      return { name, data: judged, scores: await readScores(whole, judged) };
    },
    async model(judged) {
      return { name, data: judged, scores: await scoreDataOnThreads(model!, judged, options.threads ?? 1, options) };
    },
  };
  return { name, model, over: systems[kind] };
}

/** What a file is, by how it starts; and the input to read it from. */
async function findKind(input: Input): Promise<{ kind: SystemKind; whole: Input }> {
  const { start, line, whole } = await readStart(input);
  return { kind: recognise(start) === undefined ? (rankingKind(line) ?? 'model') : 'model', whole };
}

async function wholeContent(input: Input): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input.open()) chunks.push(chunk.slice());
  return Buffer.concat(chunks);
}
