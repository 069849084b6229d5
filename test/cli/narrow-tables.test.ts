import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { narrowTables } from '#listwise/cli/terminal/narrow-tables.js';
import { table } from '#listwise/cli/terminal/table.js';
import { displayWidth } from '#listwise/cli/terminal/terminal.js';

const right = (title: string) => ({ title, align: 'right' as const });
const widest = (text: string) => Math.max(...text.split('\n').map(displayWidth));

describe('tables on a narrow terminal', () => {
  it('leaves alone what fits, and all that is no table', () => {
    const text = `A sentence, however long it is.\n\n${table([{ title: 'a' }, right('b')], [['x', '1']])}\n… and more`;
    expect(narrowTables(text, 6)).toBe(text);
  });

  it('sets columns in several tables, with those that tell rows apart in each', () => {
    const text = table(
      [{ title: 'measure' }, { title: 'pair' }, right('difference'), right('p'), { title: 'sure' }],
      [
        ['ap', 'a - b', '+0.1000', '0.01', 'yes'],
        ['ap', 'b - c', '-0.2000', '0.5', 'no'],
      ],
    );
    expect(narrowTables(`${text}\n… and 2 more`, 30)).toBe(
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
        '… and 2 more',
      ].join('\n'),
    );
  });

  it('goes on with long texts in the next line', () => {
    const text = table(
      [{ title: 'name' }, { title: 'what' }, right('n')],
      [
        ['検索', 'a text of several words that is too long', '1'],
        ['b', 'short', '10'],
      ],
    );
    expect(narrowTables(text, 34)).toBe(
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
      const aligned = fc.tuple(cell, fc.constantFrom('left' as const, 'right' as const));
      return fc.record({
        heads: fc.array(aligned, { minLength: columns, maxLength: columns }),
        rows: fc.array(row, { minLength: 1, maxLength: 5 }),
        width: fc.integer({ min: 50, max: 90 }),
      });
    });
    fc.assert(
      fc.property(tables, ({ heads, rows, width }) => {
        const text = table(
          heads.map(([title, align]) => ({ title, align })),
          rows,
        );
        const narrow = narrowTables(text, width);
        expect(widest(narrow)).toBeLessThanOrEqual(width);
        const words = narrow.split(/\s+/);
        for (const one of [...heads.map(([title]) => title), ...rows.flat()]) expect(words).toContain(one);
      }),
    );
  });
});
