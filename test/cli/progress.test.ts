import { describe, expect, it } from 'vitest';
import { duration, Progress } from '#listwise/cli/progress.js';

function recorder(isTTY: boolean) {
  const written: string[] = [];
  return { written, stream: { isTTY, columns: 80, write: (text: string) => written.push(text) } };
}

describe('progress', () => {
  it('draws a bar with time left on a terminal, after a second', () => {
    let now = 0;
    const { written, stream } = recorder(true);
    const progress = new Progress('reading', { stream, quiet: false, now: () => now });
    progress.update(1, 10);
    expect(written).toEqual([]);
    now = 2000;
    progress.update(5, 10, 'ndcg 0.4');
    expect(written.join('')).toContain('reading ████████████░░░░░░░░░░░░ 50 % 2 s left ndcg 0.4');
    progress.finish();
    expect(written.at(-1)).toBe('\r\x1b[2K');
  });

  it.each([
    ['no terminal', false, false],
    ['--quiet', true, true],
  ])('is silent with %s', (_, isTTY, quiet) => {
    let now = 0;
    const { written, stream } = recorder(isTTY);
    const progress = new Progress('reading', { stream, quiet, now: () => now });
    now = 5000;
    progress.update(5, 10);
    progress.finish();
    expect(written).toEqual([]);
  });

  it('writes durations for people', () => {
    expect([900, 59_400, 125_000, 7_500_000].map(duration)).toEqual(['1 s', '59 s', '2 min 05 s', '2 h 05 min']);
  });
});
