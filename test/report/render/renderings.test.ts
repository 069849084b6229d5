import { describe, expect, it } from 'vitest';
import type { Section, TableBlock } from '#listwise/report/document.js';
import { csvText } from '#listwise/report/render/csv.js';
import { markdownTable, markdownTables } from '#listwise/report/render/markdown.js';
import { paper } from '#listwise/report/render/screen.js';
import { terminalText } from '#listwise/report/render/terminal.js';
import { columnsOn, onPageOnly, shownOn } from '#listwise/report/shown-on.js';

const { NaN: none } = Number;

const table: TableBlock = {
  kind: 'table',
  title: 'Means',
  columns: [
    { title: 'system' },
    { title: 'canonical', on: ['csv'] },
    { title: 'mean', style: 'value', interval: '95 % interval' },
    { title: 'documents', style: 'count', on: ['page'] },
    { title: 'w/t/l', align: 'right' },
    { title: 'p', style: 'p' },
  ],
  rows: [
    ['a|b', 'A', { value: -0.25, interval: [-0.5, 0] }, 1200, '1/2/3', 0.00001],
    ['c, "d"', 'C', { value: none, interval: [none, none] }, 7, '', none],
    ['e', 'E', { value: 1, interval: [none, none] }, 7, '', 0.5],
  ],
  foot: [['mean', '', 0.375, '', '', '']],
};

const sections: readonly Section[] = [
  { title: 'One', lead: 'A lead.', blocks: [{ kind: 'text', text: 'Everywhere.' }, table] },
  { title: 'Two', blocks: [{ kind: 'text', on: 'page', text: 'On the page.' }] },
  {
    title: 'Three',
    close: true,
    blocks: [
      { kind: 'text', on: 'terminal', text: 'In the terminal,' },
      { kind: 'values', values: [{ label: 'queries', value: 3 }] },
      { kind: 'text', on: 'terminal', text: 'line below line.' },
    ],
  },
];

const expectedRows = [
  'a|b     -0.2500  -0.5000 to 0.0000  1/2/3  1.0e-5',
  'c, "d"        -             - to -              -',
  'e        1.0000             - to -         0.5000',
  'mean     0.3750',
];
const expectedText = [
  'Everywhere.',
  '',
  'system     mean      95 % interval  w/t/l       p',
  '──────  ───────  ─────────────────  ─────  ──────',
  ...expectedRows,
  '',
  'In the terminal,',
  'line below line.',
].join('\n');

describe('the terminal', () => {
  it('shows texts and tables of all sections, and the columns that are for it', () => {
    expect(terminalText(sections)).toBe(expectedText);
  });

  it('shows the first rows where it is asked to, and says where the rest is', () => {
    const text = terminalText([{ title: 'One', blocks: [{ ...table, first: { rows: 1, rest: '--all' } }] }]);
    expect(text.split('\n').slice(2)).toEqual([expectedRows[0], expectedRows[3], '… and 2 more (--all)']);
  });

  it('draws numbers that matter as a table, bars as bars, a curve in one line', () => {
    const drawn = (block: Section['blocks'][number], screen = paper) =>
      terminalText([{ title: '', blocks: [block] }], screen);
    const values = [{ label: 'mean', value: 2.25, style: 'value' as const, digits: 1 }];
    expect(drawn({ kind: 'values', on: 'both', title: 'data', values })).toBe('data\n────  ───\nmean  2.3');
    const bars = [2, 1].map((count, i) => ({
      name: String(i),
      value: count / 3,
      details: [{ label: 'documents', value: count, style: 'count' as const }],
    }));
    const share = { label: 'share', style: 'percent' as const };
    expect(drawn({ kind: 'bars', on: 'both', title: 'Labels', item: 'label', x: share, bars })).toBe(
      [
        'label  documents   share',
        '─────  ─────────  ──────  ──────────────────────────────',
        `    0          2  66.7 %  ${'█'.repeat(30)}`,
        `    1          1  33.3 %  ${'█'.repeat(15)}`,
      ].join('\n'),
    );
    const curve = {
      kind: 'lines' as const,
      on: 'both' as const,
      title: 'Curve',
      x: { label: 'iteration' },
      y: { label: 'ap' },
      series: [
        { name: 'training', x: [1, 2], y: [0, 0] },
        { name: 'validation', x: [1, 2, 3], y: [0, 1, 0.5] },
      ],
    };
    expect(drawn(curve)).toBe('ap 0.0000 ▁█▅ 0.5000');
    expect(drawn(curve, { ...paper, width: 19 })).toBe('ap 0.0000 ▁█ 0.5000');
    expect(drawn(curve, { ...paper, unicode: false })).toBe('ap 0.0000 > 1.0000 > 0.5000');
    expect(drawn({ ...curve, series: [{ name: 'one', x: [1], y: [1] }] })).toBe('');
  });
});

describe('a page', () => {
  it('shows what is for it; a section of which nothing is left goes', () => {
    const shown = shownOn('page', sections);
    expect(shown.map(({ title, blocks }) => [title, blocks.length])).toEqual([
      ['One', 2],
      ['Two', 1],
      ['Three', 1],
    ]);
    expect(shownOn('terminal', sections).map(({ title }) => title)).toEqual(['One', 'Three']);
    expect(terminalText(onPageOnly(sections))).toBe('');
    expect(shownOn('page', onPageOnly(sections)).map(({ title }) => title)).toEqual(['One', 'Two', 'Three']);
  });
});

describe('Markdown', () => {
  it('has the tables of the page, numbers to the right, intervals in brackets', () => {
    expect(markdownTables(sections)).toEqual([
      [
        '**Means**\n',
        '| system | mean | documents | w/t/l | p |',
        '| --- | --: | --: | --: | --: |',
        '| a\\|b | −0.2500 (−0.5000 to 0.0000) | 1,200 | 1/2/3 | < 0.0001 |',
        '| c, "d" | – | 7 |  | – |',
        '| e | 1.0000 (no interval) | 7 |  | 0.5000 |',
      ].join('\n'),
    ]);
  });

  it('takes a number that has been JSON', () => {
    const rows = JSON.parse('[[null]]');
    expect(markdownTable({ columns: [{ title: 'p', style: 'p' }], rows })).toBe('| p |\n| --: |\n| – |');
  });
});

describe('CSV', () => {
  it('has numbers in full, nothing for what is missing, and quotes where they must be', () => {
    expect(csvText(columnsOn('csv', table)).split('\n')).toEqual([
      'system,canonical,mean,w/t/l,p',
      'a|b,A,-0.25,1/2/3,0.00001',
      '"c, ""d""",C,,,',
      'e,E,1,,0.5',
    ]);
  });

  it('has notes in columns of their own where they are wanted', () => {
    const noted: TableBlock = { ...table, columns: [{ title: 'fold' }], rows: [[{ value: 'a', note: 'b' }], ['c']] };
    expect(csvText(noted, { notes: true, newline: '\r\n' })).toBe('fold,fold (note)\r\na,b\r\nc,');
    expect(csvText(noted)).toBe('fold\na\nc');
    const named = { ...noted, rows: [['=1+1'], ['-b'], ['c=d'], [-5]] };
    expect(csvText(named)).toBe('fold\n=1+1\n-b\nc=d\n-5');
    expect(csvText(named, { forSpreadsheets: true })).toBe("fold\n'=1+1\n'-b\nc=d\n-5");
  });
});
