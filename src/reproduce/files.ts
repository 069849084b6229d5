/** Where the folders of experiments are: in the package, beside the built code. */
import { fileURLToPath } from 'node:url';

export function experimentFile(name: string, file: string): string {
  return fileURLToPath(new URL(`../../experiments/${name}/${file}`, import.meta.url));
}
