import { describe, expect, it } from 'vitest';
import { plainCurve, sparkline } from '#listwise/cli/terminal/sparkline.js';
import { table } from '#listwise/cli/terminal/table.js';
import {
  coloured,
  displayWidth,
  plainRules,
  takesColour,
  takesProgress,
  takesUnicode,
} from '#listwise/cli/terminal/terminal.js';

const terminal = { isTTY: true };
const pipe = {};

describe('colour', () => {
  it.each([
    ['a terminal', terminal, {}, true],
    ['a pipe', pipe, {}, false],
    ['NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['an empty NO_COLOR, which says nothing', terminal, { NO_COLOR: '' }, true],
    ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
    ['FORCE_COLOR and a pipe', pipe, { FORCE_COLOR: '1' }, true],
    ['FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
    ['both, as in Node', terminal, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ])('%s', (_, stream, env, expected) => {
    expect(takesColour(stream, env)).toBe(expected);
  });

  it('changes nothing but heads and rules of tables', () => {
    const text = `${table([{ title: 'a' }, { title: 'b', align: 'right' }], [['x', '1.0']])}\n\nthe end - of it`;
    expect(coloured(text)).toBe('\x1b[1ma    b\x1b[22m\n\x1b[2m─  ───\x1b[22m\nx  1.0\n\nthe end - of it');
  });
});

describe('progress', () => {
  it('is for terminals that can draw over a line', () => {
    expect([takesProgress(terminal, {}), takesProgress(pipe, {}), takesProgress(terminal, { TERM: 'dumb' })]).toEqual([
      true,
      false,
      false,
    ]);
    expect(takesProgress(terminal, { NO_COLOR: '1' })).toBe(true);
  });
});

describe('characters', () => {
  it.each([
    [{}, true],
    [{ LANG: '' }, true],
    [{ LANG: 'en_GB.UTF-8' }, true],
    [{ LANG: 'de_DE.utf8' }, true],
    [{ LANG: 'C' }, false],
    [{ LANG: 'de_DE.ISO-8859-1' }, false],
    [{ LANG: 'en_GB.UTF-8', LC_ALL: 'POSIX' }, false],
    [{ LANG: 'C', LC_CTYPE: 'C.UTF-8' }, true],
  ])('%j takes Unicode: %s', (env, expected) => {
    expect(takesUnicode(env)).toBe(expected);
  });

  it('draws rules and bars without Unicode, and leaves names alone', () => {
    expect(plainRules('a ─ b  share\n─────  ─────\na ─ b  ██▌\n…')).toBe('a ─ b  share\n-----  -----\na ─ b  ##\n…');
  });

  it.each([
    ['', 0],
    ['ndcg@10', 7],
    ['─█▁…', 4],
    ['Fußgänger', 9],
    ['e\u0301', 1],
    ['日本語', 6],
    ['한국어', 6],
    ['🙂', 2],
    ['\x1b[1mbold\x1b[22m', 4],
  ])('%j takes %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe('tables', () => {
  it('align by columns on the screen', () => {
    const rows = [
      ['日本語', '1.0'],
      ['abc', '10.25'],
    ];
    expect(table([{ title: 'query' }, { title: 'value', align: 'right' }], rows)).toBe(
      ['query   value', '──────  ─────', '日本語    1.0', 'abc     10.25'].join('\n'),
    );
  });

  it('show control characters of ids instead of obeying them', () => {
    expect(table([{ title: 'query' }], [['a\x1b[31mb\n']])).toBe('query\n────────\na\ufffd[31mb\ufffd');
  });

  it('take as many rows as there are', () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => [String(i)]);
    expect(table([{ title: 'query' }], rows).split('\n')).toHaveLength(200_002);
  });
});

describe('a learning curve', () => {
  it('goes from the lowest to the highest bar', () => {
    expect(sparkline([0, 1, 2, 3, 4, 5, 6, 7])).toBe('▁▂▃▄▅▆▇█');
    expect(sparkline([0.5, 0.7, 0.6, Number.NaN, 0.7])).toBe('▁█▅█');
    expect(sparkline([3, 3, 3])).toBe('▁▁▁');
  });

  it('is nothing for fewer than two values', () => {
    expect([sparkline([]), sparkline([1]), plainCurve([]), plainCurve([1])]).toEqual(['', '', '', '']);
  });

  it('averages what does not fit', () => {
    expect(sparkline([0, 2, 7, 9, 4, 4], 3)).toBe('▁█▄');
    const long = sparkline(Array.from({ length: 12_345 }, (_, i) => i));
    expect(long).toHaveLength(40);
    expect([long[0], long.at(-1)]).toEqual(['▁', '█']);
  });

  it('has figures instead of bars without Unicode', () => {
    expect(plainCurve([0.1, 0.2])).toBe('0.1000 > 0.2000');
    expect(plainCurve([0, 1, 2, 3, 4, 5, 6, 7, 8], 0)).toBe('0 > 2 > 4 > 6 > 8');
  });
});
