/** What the README of an experiment shows of its result: the findings and the tables of its page, as Markdown. */
import type { Section } from '../report/document.js';
import { markdownTable, markdownTables } from '../report/render/markdown.js';
import { claimsSection, findingsTable } from './document.js';
import type { Experiment, Finding } from './experiment.js';
import { keptResults, notRun } from './kept.js';
import type { Reproduced } from './reproduce.js';

export function resultMarkdown(findings: readonly Finding[], sections: readonly Section[]): string {
  return [markdownTable(findingsTable(findings)), ...markdownTables(sections)].join('\n\n');
}

/** The claims of all experiments, for the README of their folder. */
export function claimsMarkdown(): string {
  const section = claimsSection(keptResults(), notRun());
  const texts = section.blocks.flatMap(block => (block.kind === 'text' ? [block.text] : []));
  return [...markdownTables([section]), ...texts].join('\n\n');
}

const MARKS = ['<!-- written from result.json -->', '<!-- end -->'] as const;

/** Its protocol stands before it is run. */
const NOT_RUN = 'Not run yet.';

/** The README with the findings and tables of the results between its marks. */
export function readmeWith(experiment: Experiment, results: readonly Reproduced[], readme: string): string {
  const parts = results.map(({ scale, outcome, findings }) => {
    const shown = resultMarkdown(findings, experiment.sections(outcome));
    return results.length === 1 ? shown : `### Scale ${scale}\n\n${shown}`;
  });
  return written(parts.join('\n\n') || NOT_RUN, readme);
}

/** A text with another between its marks. */
export function written(shown: string, readme: string): string {
  const [from, to] = [readme.indexOf(MARKS[0]), readme.indexOf(MARKS[1])];
  if (from < 0 || to < from) throw new Error(`the README lacks ${MARKS.join(' … ')}`);
  return `${readme.slice(0, from + MARKS[0].length)}\n\n${shown}\n\n${readme.slice(to)}`;
}
