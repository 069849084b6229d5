/** Tells the format of a model file from its content. */
import { ListwiseError, quote } from '../errors.js';
import { formats } from './all.js';
import type { ModelFormat } from './format.js';

/** So many bytes are looked at. */
const START_BYTES = 4096;

/** The format of what starts so; undefined where it is none of a model. */
export function recognise(content: Uint8Array): ModelFormat | undefined {
  const start = startOf(content);
  return formats.find(format => format.recognise?.(start));
}

export function formatOf(content: Uint8Array, file: string | undefined): ModelFormat {
  const found = recognise(content);
  if (found !== undefined) return found;
  const names = formats.filter(format => format.read).map(format => format.name);
  throw new ListwiseError(
    'model-invalid',
    `it is not a model of a format that is known (it starts with ${quote(startOf(content).slice(0, 24))}); these are: ${names.join(', ')}. convert \`from: NAME\` reads it as one of them`,
    { file },
  );
}

function startOf(content: Uint8Array): string {
  return Buffer.from(content.buffer, content.byteOffset, Math.min(content.byteLength, START_BYTES)).toString('latin1');
}
