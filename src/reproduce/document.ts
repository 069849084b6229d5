/** What a reproduction found, beside what the paper did. */
import { column, columns } from '../report/columns.js';
import type { Document, TableBlock } from '../report/document.js';
import { pValue } from '../report/numbers.js';
import { remark } from '../report/remark.js';
import { onPageOnly } from '../report/shown-on.js';
import type { Experiment, Finding, Scale } from './experiment.js';
import type { Reproduced } from './reproduce.js';

export function reproduceDocument(experiment: Experiment, { outcome, findings, scale }: Reproduced): Document {
  const { title, paper, sections } = experiment;
  const verdict = verdictOf(findings, scale);
  return {
    title: `listwise: ${title}`,
    verdict,
    sections: [
      {
        title: 'What was found there, and what is found here',
        lead: `${paper}. Scale: ${scale}.`,
        blocks: [
          remark(`${title} (${paper}), scale ${scale}`),
          ...findings.map(finding => remark(findingText(finding))),
          remark(verdict),
          ...(findings.length === 0 ? [] : [{ ...findingsTable(findings), on: 'page' as const }]),
        ],
      },
      ...onPageOnly(sections(outcome)),
    ],
  };
}

function verdictOf(findings: readonly Finding[], scale: Scale): string {
  const [held, all] = [findings.filter(({ holds }) => holds).length, findings.length];
  const here = `here, at the scale ${scale}`;
  if (all === 0) return `At the scale ${scale} there is no finding to hold it against.`;
  if (all === 1) return `The finding ${held === 1 ? 'holds' : 'does not hold'} ${here}.`;
  if (held === all) return `All ${all} findings hold ${here}.`;
  return `${held === 0 ? 'None' : held} of the ${all} findings ${held < 2 ? 'holds' : 'hold'} ${here}.`;
}

/** Claims are too long for the columns of a terminal. */
function findingText({ claim, paper, ours, p, holds }: Finding): string {
  return [
    `${holds ? 'holds' : 'does not hold'}: ${claim}`,
    `  theirs: ${paper}`,
    `  here:   ${ours}${p === null || Number.isNaN(p) ? '' : ` (p ${pValue(p)})`}`,
  ].join('\n');
}

export function findingsTable(findings: readonly Finding[]): TableBlock {
  return {
    kind: 'table',
    title: 'Findings',
    columns: [...columns(undefined, 'claim', 'theirs', 'here'), column('p', 'p'), column('holds')],
    rows: findings.map(({ claim, paper, ours, p, holds }) => [
      claim,
      paper,
      ours,
      p ?? Number.NaN,
      holds ? 'yes' : 'no',
    ]),
  };
}
