/** What an objective learned for itself while the model was trained, such as the bias of positions. */
import type { LearnedTable } from '../objectives/learning.js';
import type { IterationRecord } from '../training/iteration-record.js';
import type { LinesChart } from './charts.js';
import type { Section } from './document.js';

/** Rows that a terminal shows. */
const SHOWN_ROWS = 10;

export function learnedSections(tables: readonly LearnedTable[], log: readonly IterationRecord[]): Section[] {
  return tables.map(({ title, lead, by, at, columns, drawn }) => ({
    title,
    lead,
    blocks: [
      {
        kind: 'lines',
        title: `${title}: ${drawn} by ${by}`,
        x: { label: by, style: 'count' },
        y: { label: drawn },
        series: [{ name: drawn, x: at, y: columns.find(({ name }) => name === drawn)!.values }],
      },
      ...followed(log, by, drawn),
      {
        kind: 'table',
        title: `${title} by ${by}`,
        columns: [
          { title: by, style: 'count' },
          ...columns.map(({ name }) =>
            name === 'documents' ? ({ title: name, style: 'count' } as const) : { title: name },
          ),
        ],
        rows: at.map((place, i) => [place, ...columns.map(({ values }) => values[i]!)]),
        first: { rows: SHOWN_ROWS, rest: 'the page and the JSON have all of them' },
      },
    ],
  }));
}

/** How it came there, from the log. */
function followed(log: readonly IterationRecord[], by: string, drawn: string): LinesChart[] {
  const prefix = `${drawn} at ${by} `;
  const names = Object.keys(log.at(-1)?.facts ?? {}).filter(name => name.startsWith(prefix));
  if (names.length === 0 || log.length < 2) return [];
  return [
    {
      kind: 'lines',
      title: `${drawn} by iteration`,
      x: { label: 'iteration', style: 'count' },
      y: { label: drawn },
      series: names.map(name => ({
        name: name.slice(drawn.length + ' at '.length),
        x: log.map(({ iteration }) => iteration),
        y: log.map(({ facts }) => facts?.[name] ?? Number.NaN),
      })),
    },
  ];
}
