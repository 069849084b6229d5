/** What the README of an experiment shows of its result: the findings and the tables of its page, as Markdown. */
import type { Section } from '../report/document.js';
import { markdownTable, markdownTables } from '../report/render/markdown.js';
import { findingsTable } from './document.js';
import type { Experiment, Finding } from './experiment.js';
import type { Reproduced } from './reproduce.js';

export function resultMarkdown(findings: readonly Finding[], sections: readonly Section[]): string {
  return [markdownTable(findingsTable(findings)), ...markdownTables(sections)].join('\n\n');
}

const MARKS = ['<!-- written from result.json -->', '<!-- end -->'] as const;

/** The README with the findings and tables of a result between its marks. */
export function readmeWith(experiment: Experiment, { outcome, findings }: Reproduced, readme: string): string {
  const [from, to] = [readme.indexOf(MARKS[0]), readme.indexOf(MARKS[1])];
  if (from < 0 || to < from) throw new Error(`the README of ${experiment.name} lacks ${MARKS.join(' … ')}`);
  const shown = resultMarkdown(findings, experiment.sections(outcome));
  return `${readme.slice(0, from + MARKS[0].length)}\n\n${shown}\n\n${readme.slice(to)}`;
}
