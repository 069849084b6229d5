/** What a reproduction found, beside what the paper did. */
import { column, columns } from '../report/columns.js';
import type { Document, TableBlock } from '../report/document.js';
import { pValue } from '../report/numbers.js';
import { remark } from '../report/remark.js';
import { onPageOnly } from '../report/shown-on.js';
import { listed } from '../report/words.js';
import { type Experiment, type Finding, findingVerdict, type Scale, type Verdict } from './experiment.js';
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
  const here = `here, at the scale ${scale}`;
  if (findings.length === 0) return `At the scale ${scale} there is no finding to hold it against.`;
  const counts = verdicts.flatMap(verdict => {
    const of = findings.filter(finding => findingVerdict(finding) === verdict).length;
    return of === 0 ? [] : [{ verdict, of }];
  });
  if (counts.length === 1) {
    const { one, many } = words[counts[0]!.verdict];
    return findings.length === 1 ? `The finding ${one} ${here}.` : `All ${findings.length} findings ${many} ${here}.`;
  }
  const parts = counts.map(({ verdict, of }) => `${of} ${of === 1 ? words[verdict].one : words[verdict].many}`);
  return `Of ${findings.length} findings ${listed(parts)} ${here}.`;
}

const verdicts: readonly Verdict[] = ['holds', 'contradicted', 'cannot tell'];
const words: Readonly<Record<Verdict, { readonly one: string; readonly many: string }>> = {
  holds: { one: 'holds', many: 'hold' },
  contradicted: { one: 'is contradicted', many: 'are contradicted' },
  'cannot tell': { one: 'is open (the test cannot tell)', many: 'are open (the tests cannot tell)' },
};

/** Claims are too long for the columns of a terminal. */
function findingText(finding: Finding): string {
  const { claim, paper, ours, p } = finding;
  return [
    `${findingVerdict(finding)}: ${claim}`,
    `  theirs: ${paper}`,
    `  here:   ${ours}${p === null || Number.isNaN(p) ? '' : ` (p ${pValue(p)})`}`,
  ].join('\n');
}

export function findingsTable(findings: readonly Finding[]): TableBlock {
  return {
    kind: 'table',
    title: 'Findings',
    columns: [...columns(undefined, 'claim', 'theirs', 'here'), column('p', 'p'), column('verdict')],
    rows: findings.map(finding => {
      const { claim, paper, ours, p } = finding;
      return [claim, paper, ours, p ?? Number.NaN, findingVerdict(finding)];
    }),
  };
}
