/** Brings a run and judgments together: what was retrieved, with its labels, and what was judged but not retrieved. */
import { few, ListwiseError, quote } from '../../../errors.js';
import { Dataset, type UnrankedLabels } from '../../dataset.js';
import { IdNumbers } from '../../id-numbers.js';
import { StringTableBuilder } from '../../string-table.js';
import type { Run } from './run.js';

/**
 * How a run meets judgments.
 *
 * @example
 * import type { JoinOptions } from 'listwise/data';
 *
 * const options: JoinOptions = { complete: true };
 */
export interface JoinOptions {
  /** Evaluate every query of the judgments, those that the run lacks as empty lists (trec_eval -c). */
  complete?: boolean | undefined;
}

/**
 * A run over the documents that it ranks, with their labels.
 *
 * @example
 * import { joinRun, readRun } from 'listwise';
 * import { fileInput, type JoinedRun } from 'listwise/data';
 *
 * const joined: JoinedRun = joinRun(await readRun(await fileInput('bm25.run')), data);
 * console.log(joined.withoutJudgments);
 */
export interface JoinedRun {
  /** One row a retrieved document, in the run's order; queries in the order of the judgments; no features. */
  readonly data: Dataset;
  /** One score a row of `data`. */
  readonly scores: Float64Array;
  /** Queries of the run without judgments: they cannot be evaluated and are left out. */
  readonly withoutJudgments: readonly string[];
  /** Queries of the judgments that the run lacks: left out, or empty lists where `complete`. */
  readonly withoutDocuments: readonly string[];
}

/**
 * `judged` is a qrels file, or any data set whose rows have document ids; all its label sources are joined.
 *
 * @example
 * import { evaluate, joinRun, readQrels, readRun } from 'listwise';
 * import { fileInput } from 'listwise/data';
 *
 * const run = await readRun(await fileInput('bm25.run'));
 * const qrels = await readQrels(await fileInput('qrels.txt'));
 * const joined = joinRun(run, qrels);
 * console.log(evaluate(joined.data, joined.scores, 'ndcg@10')[0]?.mean);
 */
export function joinRun(run: Run, judged: Dataset, options: JoinOptions = {}): JoinedRun {
  if (judged.documentIds === undefined) {
    throw new ListwiseError(
      'column-unknown',
      `a run names documents, and the data has no document ids to find them by`,
    );
  }
  const runQuery = IdNumbers.of(run.queryIds);
  const withoutDocuments = judged.queryIds.filter(id => !runQuery.has(id));
  const known = IdNumbers.of(judged.queryIds);
  const withoutJudgments = run.queryIds.filter(id => !known.has(id));
  const kept = Array.from(judged.queryIds.keys()).filter(q => options.complete || runQuery.has(judged.queryIds[q]!));
  if (withoutJudgments.length === run.queryIds.length) {
    throw new ListwiseError(
      'query-mismatch',
      `no query of the run has judgments: the run has ${few(run.queryIds)}, the judgments ${few(judged.queryIds)}`,
      { file: run.name },
    );
  }

  const sizes = kept.map(q => {
    const found = runQuery.get(judged.queryIds[q]!);
    return found === undefined ? 0 : run.offsets[found + 1]! - run.offsets[found]!;
  });
  const offsets = new Uint32Array(kept.length + 1);
  for (let k = 0; k < kept.length; k++) offsets[k + 1] = offsets[k]! + sizes[k]!;
  const rows = offsets[kept.length]!;
  const scores = new Float64Array(rows);
  const documentIds = new StringTableBuilder();
  const sources = [...judged.labels].map(([name, from]) => ({
    name,
    from,
    labels: new Float64Array(rows).fill(Number.NaN),
    outside: [] as number[],
    outsideOffsets: new Uint32Array(kept.length + 1),
  }));

  let at = 0;
  for (const [k, q] of kept.entries()) {
    const rowOf = rowsByDocument(judged, q);
    const found = runQuery.get(judged.queryIds[q]!);
    if (found !== undefined) {
      for (let from = run.offsets[found]!; from < run.offsets[found + 1]!; from++, at++) {
        const id = run.documentIds.get(from);
        documentIds.add(id);
        scores[at] = run.scores[from]!;
        const row = rowOf.get(id);
        if (row === undefined) continue;
        for (const source of sources) source.labels[at] = source.from[row]!;
        rowOf.delete(id);
      }
    }
    for (const source of sources) {
      for (const row of rowOf.values()) if (!Number.isNaN(source.from[row]!)) source.outside.push(source.from[row]!);
      source.outsideOffsets[k + 1] = source.outside.length;
    }
  }

  const data = new Dataset({
    featureNames: [],
    blocks: [{ start: 0, rows, stride: rows, data: new Float32Array(0) }],
    offsets,
    queryIds: kept.map(q => judged.queryIds[q]!),
    labels: new Map(sources.map(source => [source.name, source.labels])),
    documentIds: documentIds.finish(),
    queryWeights: judged.queryWeights && Float64Array.from(kept, q => judged.queryWeights![q]!),
    unranked: new Map<string, UnrankedLabels>(
      sources.map(source => [
        source.name,
        { offsets: source.outsideOffsets, values: Float64Array.from(source.outside) },
      ]),
    ),
  });
  return { data, scores, withoutJudgments, withoutDocuments };
}

function rowsByDocument(judged: Dataset, q: number): Map<string, number> {
  const rowOf = new Map<string, number>();
  for (let row = judged.offsets[q]!; row < judged.offsets[q + 1]!; row++) {
    const id = judged.documentId(row);
    if (rowOf.has(id)) {
      throw new ListwiseError(
        'document-duplicate',
        `the judgments list document ${quote(id)} twice for query ${quote(judged.queryIds[q]!)}`,
      );
    }
    rowOf.set(id, row);
  }
  return rowOf;
}
