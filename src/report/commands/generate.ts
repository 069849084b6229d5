/** What was generated: a row a file. */
import { column, columns } from '../columns.js';
import type { Section } from '../document.js';

export interface GeneratedFile {
  readonly target: string;
  readonly tally: {
    readonly queries: number;
    /** Queries without a relevant document. */
    readonly empty: number;
    readonly documents: number;
    /** Documents by grade. */
    readonly grades: readonly number[];
  };
}

export function generateSection(files: readonly GeneratedFile[], features: number): Section {
  const grades = Array.from({ length: Math.max(...files.map(({ tally }) => tally.grades.length)) }, (_, g) => g);
  const title = 'Files';
  return {
    title,
    blocks: [
      {
        kind: 'table',
        title,
        columns: [
          column('file'),
          ...columns('count', 'queries', 'empty', 'documents', 'features'),
          ...columns('percent', ...grades.map(grade => `grade ${grade}`)),
        ],
        rows: files.map(({ target, tally: { queries, empty, documents, grades: counts } }) => [
          target,
          queries,
          empty,
          documents,
          features,
          ...grades.map(grade => (counts[grade] ?? 0) / documents),
        ]),
      },
    ],
  };
}
