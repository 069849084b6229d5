/** What `Dataset.from` takes; see train.ts for how this is checked. */
import { Dataset } from 'listwise';

const rows = [{ session: 's1', bought: 1, price: 80, brand: 'Acme', listed: new Date(), rating: null }];

export const data: Dataset[] = [
  Dataset.from(rows, { query: 'session', label: 'bought', labels: { clicks: 'clicked' }, categories: ['brand'] }),
  Dataset.from({ qid: ['1', '1'], label: [1, 0], price: Float32Array.of(80, 120) }),
];

// @ts-expect-error a misspelt role
Dataset.from(rows, { qid: 'session' });
// @ts-expect-error a value that no feature can be
Dataset.from([{ qid: '1', label: 1, tags: ['a', 'b'] }]);
