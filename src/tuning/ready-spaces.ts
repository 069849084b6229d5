/** The search spaces that come along, beside the built code. One that is named like a kind of model is its default. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../configs/spaces/', import.meta.url));

export function readySpaces(): string[] {
  return readdirSync(folder)
    .filter(name => name.endsWith('.json'))
    .map(name => name.slice(0, -'.json'.length))
    .sort();
}

export function spaceFile(name: string): string {
  return `${folder}${name}.json`;
}
