/** The library names options, the command line flags: in one place, for every message. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inFlags } from '#listwise/cli/flags.js';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
const library = readdirSync(source, { recursive: true, encoding: 'utf8' })
  // The studio's pages show command lines, and pages have properties of style.
  .filter(file => !file.startsWith(`studio${sep}`) && !file.startsWith(join('report', 'viewer')))
  .filter(file => file.endsWith('.ts') && !file.startsWith(`cli${sep}`) && !file.includes('assembly'))
  .map(file => ({ file, text: withoutComments(readFileSync(join(source, file), 'utf8')) }));

describe('messages', () => {
  it.each([
    ['name one with `queryColumn: COLUMN`', 'name one with --query-col COLUMN'],
    ['`lossy: true` writes it nevertheless', '--lossy writes it nevertheless'],
    ['train without `resume`', 'train without --resume'],
    ['read it again with `labelFiles: clicks=a b.txt.clicks`', 'read it again with --labels clicks=a b.txt.clicks'],
    ['`<=` goes left, as `other` says, and a lone ` stays', '`<=` goes left, as `other` says, and a lone ` stays'],
  ])('%s', (message, worded) => {
    expect(inFlags(message)).toBe(worded);
  });

  it('of the library name no flag', () => {
    const named = library.flatMap(({ file, text }) =>
      [...text.matchAll(/(?<=[\s'"`(])--[a-z][a-z-]+(?!\w|[.(])/g)].map(([flag]) => `${file}: ${flag}`),
    );
    expect(named).toEqual([]);
  });

  it('of the library name only options that have a flag', () => {
    const named = library.flatMap(({ file, text }) =>
      [...text.matchAll(/'[^'`\n]*`(\w+(?:: \w+)?)`[^'\n]*'|\\`(\w+(?:: \w+)?)\\`/g)]
        .filter(() => !file.endsWith('javascript.ts'))
        .map(([, quoted, escaped]) => ({ file, option: `\`${quoted ?? escaped}\`` })),
    );
    expect(named.length).toBeGreaterThan(20);
    for (const { file, option } of named) expect(inFlags(option), file).toMatch(/^--/);
  });
});
