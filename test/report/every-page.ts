/** One report of each page, made from small data. */
import { compareSystems } from '#listwise/analysis/compare.js';
import { permutationImportance } from '#listwise/analysis/importance.js';
import { generateDataset } from '#listwise/data/generators/generate.js';
import { inspectDataset } from '#listwise/data/inspect.js';
import { evaluate } from '#listwise/measures/evaluate.js';
import { parseMeasures } from '#listwise/measures/parse.js';
import { scoreData } from '#listwise/models/ranker.js';
import { comparePage } from '#listwise/report/compare-page.js';
import { evaluatePage } from '#listwise/report/evaluate-page.js';
import { importanceSections, importanceVerdict } from '#listwise/report/importance-page.js';
import { inspectPage } from '#listwise/report/inspect-page.js';
import { modelPage } from '#listwise/report/model-page.js';
import type { Report } from '#listwise/report/page.js';
import { trainPage } from '#listwise/report/train-page.js';
import { train } from '#listwise/training/train.js';
import { everyKind } from './every-kind.js';
import { origin } from './origin.js';

export async function everyPage(): Promise<Readonly<Record<string, Report>>> {
  const data = generateDataset('mslr', { queries: 40, seed: 1 });
  const asked = parseMeasures('ndcg@10,ap,rr');
  const measures = asked.map(({ measure }) => measure);
  const names = asked.map(({ asked: name }) => name);
  const settings = { data, threads: 1, seed: 1 };
  const trees = await train({ ...settings, model: 'trees', options: { trees: 5, diagnostics: true } });
  const linear = await train({ ...settings, model: 'linear', options: { epochs: 4 } });
  const systems = [
    { name: 'trees', data, scores: scoreData(trees.model, data) },
    { name: 'linear', data, scores: scoreData(linear.model, data) },
    { name: 'none', data, scores: new Float64Array(data.rows) },
  ];
  const curves = { context: {}, ties: 'input', alpha: 0.05 } as const;
  const drops = permutationImportance(linear.model, data, measures, { repeats: 2 });
  const permutation = { drops, asked: names, repeats: 2, among: 'among the documents of each query' };
  const features = trees.model.featureNames;
  return {
    'every kind': everyKind,
    'train trees': trainPage({ trained: trees, origin, loadSeconds: 0.5 }),
    'train linear': trainPage({ trained: linear, origin }),
    compare: comparePage({ systems, comparison: compareSystems(systems, asked, { seed: 1 }), curves, origin }),
    evaluate: evaluatePage({
      ...{ system: systems[0]!, results: evaluate(data, systems[0]!.scores, measures), asked: names, curves, origin },
    }),
    inspect: inspectPage({ data, inspection: inspectDataset(data), origin }),
    model: modelPage({
      model: trees.model,
      inspection: { kind: 'trees', format: 'listwise', features, size: 1000 },
      origin,
    }),
    importance: {
      title: 'importance',
      verdict: importanceVerdict(linear.model, permutation),
      sections: importanceSections(linear.model, permutation),
      origin,
    },
  };
}
