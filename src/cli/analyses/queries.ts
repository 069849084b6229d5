import { type QueryRow, queryRowSteps } from '../../analysis/queries.js';
import { type QueryTable, queriesDocument } from '../../report/analyses/queries.js';
import { inTurns } from '../../steps.js';
import { usage } from '../command/option.js';
import type { QueriesLine } from '../declarations/analyses/queries.js';
import type { Output } from '../output.js';
import { readEvaluation } from '../settings/evaluation.js';
import { checkSystems, readSystems } from '../settings/systems.js';
import { firstRows } from '../terminal/row-limit.js';
import type { AnalysisResult } from './analysis.js';

export async function queries({ args, options }: QueriesLine, output: Output): Promise<AnalysisResult> {
  const { sort, system, label: labels } = options;
  checkSystems(args.data, options, 1);
  if (system.length > 2) throw usage(`give one or two systems, found ${system.length}`);
  if (system.length === 1 && (sort === 'loss' || sort === 'gain')) throw usage(`--sort ${sort} needs two systems`);
  const evaluation = await readEvaluation(options, output);
  const { systems, evaluated } = await readSystems(args.data, system, options, output);
  const steps = queryRowSteps(
    systems,
    evaluation.measures.map(({ measure }) => measure),
    { sort, ties: evaluation.ties, labels },
  );
  const rows = await inTurns(steps, output.shares('evaluating'));
  const table: QueryTable = {
    rows,
    systems: systems.map(({ name }) => name),
    measures: evaluation.measures.map(({ asked }) => asked),
  };
  return {
    document: queriesDocument(table, firstRows(options)),
    data: [evaluated],
    facts: { systems: table.systems },
    results: rows.map(row => toJson(row, table)),
  };
}

function toJson(row: QueryRow, { systems, measures }: QueryTable): Record<string, unknown> {
  const { query, documents, labels, empty, values, differences } = row;
  return {
    query,
    documents,
    labels,
    empty,
    measures: measures.map((measure, m) => ({
      measure,
      values: Object.fromEntries(systems.map((system, s) => [system, values[m]![s]])),
      ...(systems.length > 1 && { difference: differences[m] }),
    })),
  };
}
