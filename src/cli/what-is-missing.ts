/**
 * What the machine or its Node does not have is no failure inside: memory that the data would need, WebAssembly that
 * Node was started without.
 */
import { ListwiseError } from '../errors.js';
import { ADDRESS_ADVICE, addressSpace } from '../io/address-space.js';

/** What JavaScript and WebAssembly say where memory cannot be had. */
const SHORT =
  /could not allocate memory|allocation failed|Invalid (typed array|array buffer|array|string) length|(Map|Set) maximum size exceeded/i;

export function shortMemory(error: unknown): unknown {
  if (!(error instanceof RangeError) || !SHORT.test(error.message)) return error;
  const [said] = error.message.split('\n'); // a thread sends its stack along
  const space = addressSpace();
  const why =
    space === undefined ? '' : `; addresses are limited to ${space.limit} bytes (ulimit -v): ${ADDRESS_ADVICE}`;
  return new ListwiseError('data-too-large', `there is not enough memory for this (${said})${why}`);
}

export function withoutWebAssembly(error: unknown): unknown {
  if ('WebAssembly' in globalThis || !(error instanceof ReferenceError)) return error;
  return new ListwiseError(
    'dependency-missing',
    'this Node has no WebAssembly, which listwise computes with; start it without --jitless',
  );
}
