/** Generated pages are what the records say. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pages } from '../scripts/docs.mjs';

it.each(Object.entries(pages))('%s is up to date (npm run docs writes it)', (path, render) => {
  expect(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')).toBe(render());
});
