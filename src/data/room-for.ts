/** Memory that grows faster than the documents of a query: of a long one, more than any machine has room for. */
import { ListwiseError } from '../errors.js';
import { mayTake } from './memory-limit.js';

export interface Need {
  /** What holds which numbers: the start of the message. */
  readonly what: string;
  readonly numbers: number;
  /** Of one number. */
  readonly bytes: number;
  /** Of that query, the longest where all count. */
  readonly documents: number;
  /** What needs less: the end of the message. */
  readonly instead: string;
}

/** What `make` makes; a coded error where there is no room for it. */
export function roomFor<T>(make: () => T, need: Need): T {
  const size = need.bytes * need.numbers;
  try {
    if (mayTake(size)) return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  const count = (n: number) => n.toLocaleString('en-GB');
  throw new ListwiseError(
    'data-too-large',
    `${need.what}: ${count(need.numbers)} here, ${count(Math.ceil(size / 2 ** 30))} GiB, where a query has ${count(need.documents)} documents; train on fewer documents a query, or ${need.instead}`,
  );
}
