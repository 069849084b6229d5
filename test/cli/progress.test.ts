import { describe, expect, it } from 'vitest';
import { clearProgress, Progress } from '#listwise/cli/terminal/progress.js';
import { displayWidth } from '#listwise/report/render/screen.js';
import { duration } from '#listwise/report/words.js';

const CLEAR = '\r\x1b[2K';

function recorder(columns = 80, isTTY = true) {
  const written: string[] = [];
  return { written, stream: { isTTY, columns, write: (text: string) => written.push(text) } };
}

/** A bar whose clock is set by hand. */
interface BarOptions {
  columns?: number;
  isTTY?: boolean;
  quiet?: boolean;
  atOnce?: boolean;
  env?: Record<string, string>;
}

function bar(options: BarOptions = {}) {
  const clock = { now: 0 };
  const { written, stream } = recorder(options.columns, options.isTTY);
  const progress = new Progress('training', {
    stream,
    quiet: options.quiet ?? false,
    now: () => clock.now,
    env: options.env ?? { TERM: 'xterm' },
    atOnce: options.atOnce ?? false,
  });
  return { clock, written, progress, line: () => written.at(-1)!.replace(CLEAR, '') };
}

describe('progress', () => {
  it('draws a bar with time left on a terminal, after a second', () => {
    const { clock, written, progress, line } = bar();
    progress.update(0, 10);
    expect(written).toEqual([]);
    clock.now = 2000;
    progress.update(5, 10, 'ndcg 0.4');
    expect(line()).toBe('training ████████████░░░░░░░░░░░░ 50 % 2 s left ndcg 0.4');
    progress.finish();
    expect(written.at(-1)).toBe(CLEAR);
  });

  it.each([
    ['no terminal', { isTTY: false }],
    ['--quiet', { quiet: true }],
    ['a dumb terminal', { env: { TERM: 'dumb' } }],
  ])('is silent with %s', (_, options) => {
    const { clock, written, progress } = bar(options);
    progress.update(1, 10);
    clock.now = 5000;
    progress.update(5, 10);
    progress.finish();
    clearProgress();
    expect(written).toEqual([]);
  });

  it('is there at once where the work surely takes long', () => {
    const { progress, line } = bar({ atOnce: true });
    progress.update(0, 8, 'first step');
    expect(line()).toContain('0 % first step');
  });

  it('measures speed without what a resumed run had done before', () => {
    const { clock, progress, line } = bar();
    for (let done = 1; done <= 50; done++) progress.update(done, 100);
    clock.now = 10_000;
    progress.update(60, 100);
    expect(line()).toContain('60 % 40 s left');
  });

  it('shows the time spent where the total is not known', () => {
    const { clock, progress, line } = bar();
    progress.update(1, undefined);
    clock.now = 3000;
    progress.update(2, undefined, '12 MB');
    expect(line()).toBe('training 3 s 12 MB');
  });

  it.each([
    [40, 'training 50 % 2 s left ndcg@10 0.4321'],
    [60, 'training 50 % 2 s left ndcg@10 0.4321 iteration 1,234'],
    [80, 'training ████████████░░░░░░░░░░░░ 50 % 2 s left ndcg@10 0.4321 iteration 1,234'],
    [120, 'training ████████████░░░░░░░░░░░░ 50 % 2 s left ndcg@10 0.4321 iteration 1,234 training 0.5678'],
  ])('leaves out whole fields on %i columns', (columns, expected) => {
    const { clock, progress, line } = bar({ columns });
    progress.update(0, 10);
    clock.now = 2000;
    progress.update(5, 10, 'ndcg@10 0.4321', 'iteration 1,234', 'training 0.5678');
    expect(line()).toBe(expected);
  });

  it('never cuts a field nor fills the last column, however narrow', () => {
    const fields = ['ndcg@10 0.4321', 'iteration 1,234', 'training 0.5678'];
    for (let columns = 1; columns <= 130; columns++) {
      const { clock, progress, line } = bar({ columns });
      progress.update(0, 10);
      clock.now = 2000;
      progress.update(5, 10, ...fields);
      expect(displayWidth(line())).toBeLessThan(columns);
      for (const field of fields) {
        if (line().includes(field.split(' ')[1]!)) expect(line()).toContain(field);
      }
    }
  });

  it('draws in ASCII where the locale is not UTF-8', () => {
    const { clock, progress, line } = bar({ env: { LC_ALL: 'C' } });
    progress.update(0, 10);
    clock.now = 2000;
    progress.update(5, 10);
    expect(line()).toBe('training ############............ 50 % 2 s left');
  });

  it('is one line at a time: another takes its place, and clearing takes it away once', () => {
    const first = bar();
    const second = bar();
    for (const { progress, clock } of [first, second]) {
      progress.update(0, 10);
      clock.now = 2000;
      progress.update(5, 10);
    }
    expect(first.written.at(-1)).toBe(CLEAR);
    clearProgress();
    clearProgress();
    expect(second.written.filter(text => text === CLEAR)).toHaveLength(1);
  });

  it('writes durations for people', () => {
    expect([900, 59_400, 125_000, 7_500_000].map(duration)).toEqual(['1 s', '59 s', '2 min 05 s', '2 h 05 min']);
  });
});
