/** Node without WebAssembly is how it was started, not a failure inside. */
import { ListwiseError } from '../errors.js';

export function withoutWebAssembly(error: unknown): unknown {
  if ('WebAssembly' in globalThis || !(error instanceof ReferenceError)) return error;
  return new ListwiseError(
    'dependency-missing',
    'this Node has no WebAssembly, which listwise computes with; start it without --jitless',
  );
}
