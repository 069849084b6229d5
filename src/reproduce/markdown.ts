/** What the README of an experiment shows of its result: the findings and the tables of its page, as Markdown. */
import { written } from '../report/numbers.js';
import type { Cell, Section, TableBlock, TableColumn } from '../report/page.js';
import type { Experiment, Finding } from './experiment.js';
import type { Reproduced } from './reproduce.js';

export function resultMarkdown(findings: readonly Finding[], sections: readonly Section[]): string {
  const tables = sections.flatMap(({ blocks }) => blocks.filter(block => block.kind === 'table'));
  return [findingsMarkdown(findings), ...tables.map(tableMarkdown)].join('\n\n');
}

function findingsMarkdown(findings: readonly Finding[]): string {
  return markdown(
    [{ title: 'claim' }, { title: 'theirs' }, { title: 'here' }, { title: 'p', style: 'p' }, { title: 'holds' }],
    findings.map(({ claim, paper, ours, p, holds }) => [claim, paper, ours, p ?? Number.NaN, holds ? 'yes' : 'no']),
  );
}

function tableMarkdown({ title, columns, rows }: TableBlock): string {
  return `**${title}**\n\n${markdown(columns, rows)}`;
}

function markdown(columns: readonly TableColumn[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ style }) => (style === undefined ? '---' : '--:'))),
    ...rows.map(row => line(row.map((cell, c) => text(cell, columns[c]!)))),
  ].join('\n');
}

function text(cell: Cell | null, { style }: TableColumn): string {
  // A number that does not exist is null once it has been JSON.
  if (cell === null) return written(Number.NaN, style);
  if (typeof cell !== 'object') return written(cell, style);
  return `${written(cell.value, style)} (${cell.note})`;
}

const MARKS = ['<!-- written from result.json -->', '<!-- end -->'] as const;

/** The README with the findings and tables of a result between its marks. */
export function readmeWith(experiment: Experiment, { outcome, findings }: Reproduced, readme: string): string {
  const [from, to] = [readme.indexOf(MARKS[0]), readme.indexOf(MARKS[1])];
  if (from < 0 || to < from) throw new Error(`the README of ${experiment.name} lacks ${MARKS.join(' … ')}`);
  const shown = resultMarkdown(findings, experiment.sections(outcome));
  return `${readme.slice(0, from + MARKS[0].length)}\n\n${shown}\n\n${readme.slice(to)}`;
}
