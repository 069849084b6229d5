/** What files hold is shown on a terminal, not obeyed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { visible, visibleLines } from '#listwise/report/render/screen.js';
import { run } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';

const HOSTILE = ['\u001b[31m', '\u001b]0;title\u0007', '\u009b2J', '\r', '\b', '\u202e', '\u2066', '\u200f', '\u2028'];
// biome-ignore lint/suspicious/noControlCharactersInRegex: what must not come through
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

describe('text from files', () => {
  it.each(HOSTILE)('%j is made visible', text => {
    expect(visible(`a${text}b`)).not.toMatch(OBEYED);
    expect(visibleLines(`a${text}b\n`)).not.toMatch(OBEYED);
    expect(visibleLines(`a${text}b\n`).endsWith('b\n')).toBe(true);
  });

  it('keeps the colours of a screen that has them, and nothing else', () => {
    expect(visibleLines('\u001b[31mred\u001b[39m\tx\n', true)).toBe('\u001b[31mred\u001b[39m\tx\n');
    expect(visibleLines('\u001b[2J\u001b[31m', true)).toBe('\ufffd[2J\u001b[31m');
  });
});

it.each([
  ['b3.json', (text: string) => `{"learner": ${text}}`],
  ['b5', (text: string) => `## LambdaMART\n<ensemble><${text}tree></ensemble>`],
  ['b8.jsonl', (text: string) => `{"qid":1,"label":1,"a":${text}}\n`],
])('messages about %s are', async (name, content) => {
  const file = join(temporaryDirectory(), name);
  for (const text of HOSTILE) {
    writeFileSync(file, content(text));
    const { stderr, stdout } = await run(['inspect', file]);
    expect(stderr + stdout).not.toMatch(OBEYED);
  }
});
