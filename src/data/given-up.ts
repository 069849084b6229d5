/** Features that nobody needs any more: their memory is the largest that there is. */
import { ListwiseError } from '../errors.js';
import type { FeatureBlock } from './dataset.js';

/** Lets go of the values of a block, for all data sets that have it; whoever reads them later is told so. */
export function giveUpBlock(block: FeatureBlock): void {
  Object.defineProperty(block, 'data', {
    get(): never {
      throw new ListwiseError(
        'data-given-up',
        'the features of this data set were given up once trees had their bins of it; ' +
          'read the data again, or do not give them up when training',
      );
    },
  });
}
