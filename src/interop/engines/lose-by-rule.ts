import { few, plural, quote } from '../../errors.js';
import { isOfKind } from '../../models/all.js';
import type { Ranker } from '../../models/ranker.js';
import type { Changes } from '../format.js';
import { countNodes, loseMissing } from '../tree-writer.js';
import type { EngineRule } from './rule.js';

/** What a version does otherwise than the file says. */
export function loseByRule(model: Ranker, { trees, loses, namesAreExpressions }: EngineRule, changes: Changes): void {
  const numbers = namesAreExpressions ? model.featureNames.filter(name => /^[-+.\d]/.test(name)) : [];
  if (numbers.length > 0)
    changes.loses(
      `names of features are expressions there, and ${few(numbers.map(quote))} ${numbers.length === 1 ? 'is a number' : 'are numbers'}; train on data that names its features`,
    );
  if (!isOfKind(model, 'trees') || trees === undefined) return;
  if (loses !== undefined) changes.loses(loses, 'ways');
  if (trees.missing === 'zero') loseMissing(model, changes);
  const left = countNodes(model, (tree, node) => trees.written(tree, node).missingLeft);
  if (trees.missing === 'right' && left > 0)
    changes.loses(
      `missing values go right there, whatever a split says; ${plural(left, 'split')} of the model ${left === 1 ? 'sends' : 'send'} them left`,
      'ways',
    );
}
