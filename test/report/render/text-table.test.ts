import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth, paper } from '#listwise/report/render/screen.js';
import { tableText } from '#listwise/report/render/terminal.js';
import { bar, textTable } from '#listwise/report/render/text-table.js';

const right = (title: string) => ({ title, align: 'right' as const });
const table = (...args: [Parameters<typeof textTable>[0], Parameters<typeof textTable>[1], number?]) =>
  textTable(args[0], args[1], { ...paper, width: args[2] });
const widest = (text: string) => Math.max(...text.split('\n').map(displayWidth));

describe('tables on a narrow terminal', () => {
  it('leaves alone what fits', () => {
    const given = [[{ title: 'a' }, right('b')], [['x', '1']]] as const;
    expect(table(...given, 6)).toBe(table(...given));
  });

  it('sets columns in several tables, with those that tell rows apart in each', () => {
    const rows = [
      ['ap', 'a - b', '+0.1000', '0.01', 'yes'],
      ['ap', 'b - c', '-0.2000', '0.5', 'no'],
    ];
    const columns = [{ title: 'measure' }, { title: 'pair' }, right('difference'), right('p'), { title: 'sure' }];
    const first = { rows: 2, rest: '--all shows every one' };
    const block = { kind: 'table' as const, title: 'Pairs', columns, rows: [...rows, ...rows], first };
    expect(tableText(block, { ...paper, width: 30 })).toBe(
      [
        'measure  pair   difference',
        '───────  ─────  ──────────',
        'ap       a - b     +0.1000',
        'ap       b - c     -0.2000',
        '',
        'measure  pair      p  sure',
        '───────  ─────  ────  ────',
        'ap       a - b  0.01  yes',
        'ap       b - c   0.5  no',
        '… and 2 more (--all shows every one)',
      ].join('\n'),
    );
  });

  it('goes on with long texts in the next line', () => {
    const columns = [{ title: 'name' }, { title: 'what' }, right('n')];
    const rows = [
      ['検索', 'a text of several words that is too long', '1'],
      ['b', 'short', '10'],
    ];
    expect(table(columns, rows, 34)).toBe(
      [
        'name  what                       n',
        '────  ────────────────────────  ──',
        '検索  a text of several words    1',
        '      that is too long',
        'b     short                     10',
      ].join('\n'),
    );
  });

  it('keeps every cell, and lines that fit where cells do', () => {
    const cell = fc.stringMatching(/^[a-z0-9検é]{1,8}$/);
    const tables = fc.integer({ min: 2, max: 9 }).chain(columns => {
      const row = fc.array(cell, { minLength: columns, maxLength: columns });
      const aligned = fc.tuple(cell, fc.constantFrom(undefined, 'right' as const));
      return fc.record({
        heads: fc.array(aligned, { minLength: columns, maxLength: columns }),
        rows: fc.array(row, { minLength: 1, maxLength: 5 }),
        width: fc.integer({ min: 50, max: 90 }),
      });
    });
    fc.assert(
      fc.property(tables, ({ heads, rows, width }) => {
        const columns = heads.map(([title, align]) => ({ title, align }));
        const narrow = table(columns, rows, width);
        expect(widest(narrow)).toBeLessThanOrEqual(width);
        const words = narrow.split(/\s+/);
        for (const one of [...heads.map(([title]) => title), ...rows.flat()]) expect(words).toContain(one);
      }),
    );
  });
});

describe('tables', () => {
  it('align by columns on the screen', () => {
    const rows = [
      ['日本語', '1.0'],
      ['abc', '10.25'],
    ];
    expect(table([{ title: 'query' }, right('value')], rows)).toBe(
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

  it('have bold heads and dim rules in colour, and nothing else', () => {
    expect(textTable([{ title: 'a' }, right('b')], [['x', '1.0']], { ...paper, colour: true })).toBe(
      '\x1b[1ma    b\x1b[22m\n\x1b[2m─  ───\x1b[22m\nx  1.0',
    );
  });

  it('draw rules and bars without Unicode, and leave names alone', () => {
    const plain = { ...paper, unicode: false };
    expect(textTable([{ title: 'a ─ b' }, { title: 'share' }], [['a ─ b', bar(0.075, plain)]], plain)).toBe(
      'a ─ b  share\n-----  -----\na ─ b  ##',
    );
    expect(bar(0.075, paper)).toBe('██▎');
  });
});

describe('characters', () => {
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
