/** What the pages show is what the program prints: every `$ listwise …` of a console block is run in docs/examples. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { listwise } from '../cli/run.js';

const pages = ['commands/evaluate.md', 'commands/compare.md'];

describe.each(pages)('docs/%s', page => {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/```console\n\$ listwise ([^\n]+)\n([\s\S]*?)```/g)].map(
    ([, command, output]) => [command!, output!] as const,
  );

  it('shows commands', () => expect(blocks.length).toBeGreaterThan(1));

  it.each(blocks)('%s', (command, output) => {
    expect(listwise(command.split(' ')).stdout).toBe(output);
  });
});
