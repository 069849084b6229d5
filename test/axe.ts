/** What axe finds wrong with a page for who does not see it, or does not see it well. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const script = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Rules for which something is wrong, and where. Pages let no script in but their own: it is evaluated. */
export async function faults(page: Page): Promise<string[]> {
  await page.evaluate(script);
  const violations = await page.evaluate<readonly Violation[]>('axe.run().then(({ violations }) => violations)');
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`);
}
