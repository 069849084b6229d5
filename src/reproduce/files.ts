/** Where the folders of experiments and the search spaces are: in the package, beside the built code. */
import { fileURLToPath } from 'node:url';

export function experimentFile(name: string, file: string): string {
  return fileURLToPath(new URL(`../../experiments/${name}/${file}`, import.meta.url));
}

export function spaceFile(name: string): string {
  return fileURLToPath(new URL(`../../configs/spaces/${name}.json`, import.meta.url));
}
