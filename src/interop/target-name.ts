/** Names after a file that is written: of what goes beside it, and of the model in an engine. */
import { basename } from 'node:path';

/** The path without its extension, that of a compressed file included: companions are named after it. */
export function stemOf(path: string): string {
  return path.replace(/\.[^./\\]*(\.gz)?$/, '');
}

/** What a model is called in an engine where nothing else is said. */
export function modelName(path: string): string {
  return basename(stemOf(path));
}
