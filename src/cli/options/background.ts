/** Options that say which documents Shapley values compare with. */
import { text, whole } from '../command/option.js';

export const backgroundOptions = {
  background: text(
    'data',
    'documents to compare with: a feature that is not known has the values that it has there (default: where the training documents went in each tree, or the mean that a linear model was standardised with)',
    { reads: true },
  ),
  backgroundSize: whole('documents of the background that are taken, by chance', { least: 1, default: 100 }),
};
