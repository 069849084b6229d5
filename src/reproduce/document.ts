/** What a reproduction found, beside what the paper did. */
import { column, columns } from '../report/columns.js';
import type { Document, Section, TableBlock } from '../report/document.js';
import { remark } from '../report/remark.js';
import { onPageOnly } from '../report/shown-on.js';
import { listed } from '../report/words.js';
import { besideSection } from './drawn.js';
import { testsInWords, type Verdict, verdicts } from './evidence.js';
import type { Experiment, Finding } from './experiment.js';
import type { Reproduced } from './reproduce.js';

export function reproduceDocument(experiment: Experiment, { outcome, findings, scale }: Reproduced): Document {
  const { title, paper, sections } = experiment;
  const verdict = findingsVerdict(findings, scale);
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
      ...onPageOnly([...besideSection(findings), ...sections(outcome)]),
    ],
  };
}

/** What became of the findings, in a sentence. */
export function findingsVerdict(findings: readonly Finding[], scale: string): string {
  const here = `here, at the scale ${scale}`;
  if (findings.length === 0) return `At the scale ${scale} there is no finding to hold it against.`;
  const { one, many } = words[findings[0]!.verdict];
  if (findings.length === 1) return `The finding ${one} ${here}.`;
  const same = findings.every(({ verdict }) => verdict === findings[0]!.verdict);
  return same
    ? `All ${findings.length} findings ${many} ${here}.`
    : `Of ${findings.length} findings ${counts(findings)} ${here}.`;
}

function counts(findings: readonly Finding[]): string {
  return listed(
    verdicts.flatMap(verdict => {
      const of = findings.filter(finding => finding.verdict === verdict).length;
      if (of === 0) return [];
      return [of === 1 ? `one ${words[verdict].one}` : `${of} ${words[verdict].many}`];
    }),
  );
}

const words: Readonly<Record<Verdict, { readonly one: string; readonly many: string }>> = {
  holds: { one: 'holds', many: 'hold' },
  contradicted: { one: 'is contradicted', many: 'are contradicted' },
  'cannot tell': { one: 'is open (the test cannot tell)', many: 'are open (the tests cannot tell)' },
};

/** Claims are too long for the columns of a terminal. */
function findingText(finding: Finding): string {
  const { verdict, claim, paper, ours, tests } = finding;
  return [
    `${verdict}: ${claim}`,
    `  theirs: ${paper}`,
    `  here:   ${ours}${tests.length === 0 ? '' : ` (${testsInWords(finding)})`}`,
    ...(verdict === 'cannot tell' ? [`  to tell: ${finding.needed}`] : []),
  ].join('\n');
}

export function findingsTable(findings: readonly Finding[]): TableBlock {
  return {
    kind: 'table',
    title: 'Findings',
    columns: findingColumns,
    rows: findings.map(findingCells),
  };
}

/** `to tell`: what it would take where the verdict is "cannot tell". */
const findingColumns = [
  ...columns(undefined, 'claim', 'theirs', 'here', 'tests'),
  column('verdict', undefined, { verdict: true }),
  column('to tell'),
];

function findingCells(finding: Finding): string[] {
  const { claim, paper, ours, verdict } = finding;
  return [claim, paper, ours, testsInWords(finding), verdict, verdict === 'cannot tell' ? finding.needed : ''];
}

/** All claims of all experiments in one table. */
export function claimsSection(
  kept: readonly Pick<Reproduced, 'name' | 'scale' | 'findings'>[],
  notRun: readonly string[],
): Section {
  const findings = kept.flatMap(one => one.findings);
  return {
    title: 'All claims',
    blocks: [
      {
        kind: 'table',
        title: 'All claims',
        columns: [...columns(undefined, 'experiment', 'scale'), ...findingColumns],
        rows: kept.flatMap(({ name, scale, findings: own }) =>
          own.map(finding => [name, scale, ...findingCells(finding)]),
        ),
      },
      { kind: 'text', text: `Of ${findings.length} claims ${counts(findings)}.` },
      ...(notRun.length === 0 ? [] : [{ kind: 'text' as const, text: `Not run yet: ${listed(notRun)}.` }]),
    ],
  };
}
