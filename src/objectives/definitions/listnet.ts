import { defineObjective } from '../objective.js';
import { crossEntropy, softmax } from '../softmax.js';

export const listnet = defineObjective({
  name: 'listnet',
  title: 'ListNet',
  description:
    'Cross entropy between two distributions over which document comes first: -sum over documents of softmax(labels) log softmax(scores), over the documents with a label.',
  citation: 'Cao, Qin, Liu, Tsai, Li 2007 (top one)',
  operands: 'none',
  parameters: {},
  create: (_, { labels }) =>
    crossEntropy(labels, (view, target) => {
      target.set(view.labels(labels).subarray(0, view.n));
      return Number.isFinite(softmax(target, view.n));
    }),
});
