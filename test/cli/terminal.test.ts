import { describe, expect, it } from 'vitest';
import { screenOf, takesColour, takesProgress, takesUnicode } from '#listwise/cli/terminal/terminal.js';

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
});

describe('the screen', () => {
  it('is as wide as the terminal; elsewhere lines have no end', () => {
    expect(screenOf({ isTTY: true, columns: 80 }, { LANG: 'C' })).toEqual({ width: 80, unicode: false, colour: true });
    expect(screenOf({ columns: 80 }, {})).toEqual({ width: undefined, unicode: true, colour: false });
    expect(screenOf({ isTTY: true, columns: 0 }, {}).width).toBeUndefined();
  });
});
