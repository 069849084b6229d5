import { plural } from '../../errors.js';
import { openModel } from '../../interop/open-model.js';
import { isOfKind } from '../../models/all.js';
import { shownNodes, treeDocument } from '../../report/analyses/tree.js';
import { usage } from '../command/option.js';
import type { TreeLine } from '../declarations/analyses/tree.js';
import type { Output } from '../output.js';
import type { AnalysisResult } from './analysis.js';

export async function tree({ args, options }: TreeLine, output: Output): Promise<AnalysisResult> {
  const { tree: number } = options;
  const model = await openModel(args.model, { note: message => output.note(message) });
  if (!isOfKind(model, 'trees')) throw usage(`a ${model.kind} model has no trees to draw`);
  const chosen = model.trees[number - 1];
  if (chosen === undefined) throw usage(`the model has ${plural(model.trees.length, 'tree')}; --tree is ${number}`);
  return {
    document: treeDocument(args.model, model, number),
    data: [],
    facts: { tree: number, trees: model.trees.length },
    results: shownNodes(model, chosen).map(node => ({ ...node })),
  };
}
