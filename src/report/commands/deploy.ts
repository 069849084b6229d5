/** The page of a deployment check: what an engine makes of a model. */
import type { DeployCheck, DeployExample } from '../../analysis/deploy-check.js';
import type { DeployVerification } from '../../analysis/deploy-verify.js';
import { column, columns } from '../columns.js';
import type { Document, TableBlock } from '../document.js';
import { fixed, written } from '../numbers.js';
import { count, counted } from '../words.js';

export function deployDocument(check: DeployCheck): Document {
  const { examples, advice, losses, offset, raised, transform, notes } = check;
  const made = [
    ...(offset === 0 ? [] : [`${written(offset)} is added to every score there.`]),
    ...(raised === 0 ? [] : [`The engine itself adds ${written(raised)} to every score, so that none is below 0.`]),
    ...(transform === 'none' ? [] : [`Scores there are the ${transform} of sums.`]),
    ...notes.map(note => `${note}.`),
  ].map(text => ({ kind: 'text', text }) as const);
  return {
    title: `listwise: ${check.engine}`,
    verdict: verdictOf(check),
    sections: [
      { title: 'Measures', blocks: [measuresTable(check), countsTable(check), ...made] },
      ...(examples.length > 0 ? [{ title: 'Documents that move furthest', blocks: [examplesTable(examples)] }] : []),
      ...(losses.length + advice.length > 0
        ? [
            {
              title: 'What to do',
              blocks: [...losses.map(loss => `Lost in ${check.rule.format}: ${loss}.`), ...advice].map(text => ({
                kind: 'text' as const,
                text,
              })),
            },
          ]
        : []),
    ],
  };
}

function verdictOf({ engine, rule, documents, otherLeaf, otherRank, measures }: DeployCheck): string {
  const changes = measures
    .filter(({ here, there }) => here !== there)
    .map(({ measure, here, there }) => `${measure} goes from ${fixed(here)} to ${fixed(there)}`);
  const leaves =
    otherLeaf === 0 ? '' : `${count(otherLeaf)} of ${counted(documents, 'document')} come to other leaves, `;
  const of = otherLeaf === 0 ? ` of ${counted(documents, 'document')}` : '';
  const found =
    otherRank === 0 && otherLeaf === 0
      ? `all ${counted(documents, 'document')} rank as here`
      : `${leaves}${count(otherRank)}${of} change rank`;
  return `${engine} (${rule.format}): ${[found, ...changes].join('; ')}.`;
}

function measuresTable({ measures, engine }: DeployCheck): TableBlock {
  return {
    kind: 'table',
    title: 'Measures here and there',
    columns: [column('measure'), ...columns('value', 'here', engine, 'lost')],
    rows: measures.map(({ measure, here, there }) => [measure, here, there, here - there]),
  };
}

function countsTable(check: DeployCheck): TableBlock {
  return {
    kind: 'table',
    title: 'Documents',
    columns: [column('documents'), column('', 'count')],
    rows: [
      ['all', check.documents],
      ['with missing values', check.withMissing],
      ['come to another leaf', check.otherLeaf],
      ['change rank', check.otherRank],
      ['score below 0 there', check.negative],
    ],
  };
}

function examplesTable(examples: readonly DeployExample[]): TableBlock {
  return {
    kind: 'table',
    title: 'Documents that move furthest',
    columns: [
      ...columns(undefined, 'query', 'document'),
      ...columns('count', 'rank here', 'there'),
      ...columns('general', 'score here', 'there'),
      column('first split that differs'),
    ],
    rows: examples.map(({ query, document, rank, score, split }) => [
      query,
      document,
      rank.here,
      rank.there,
      score.here,
      score.there,
      split === undefined ? 'none' : splitText(split),
    ]),
  };
}

function splitText({ tree, feature, value, threshold, left }: NonNullable<DeployExample['split']>): string {
  const side = (goesLeft: boolean) => (goesLeft ? 'left' : 'right');
  const what = Number.isNaN(value) ? 'missing' : `= ${written(value)}`;
  return `tree ${tree}: ${feature} ${what}, <= ${written(threshold)}; ${side(left.here)} here, ${side(left.there)} there`;
}

export function verifyDocument(found: DeployVerification): Document {
  const { engine, rule, documents, unknown, offset, offsetIsKnown, same, other, examples, notes } = found;
  const raised = offset === 0 ? '' : `, ${written(offset)} added to each`;
  const verdict =
    other === 0
      ? `${engine} (${rule.format}) scored all ${counted(documents, 'document')} as expected${raised}.`
      : `${engine} (${rule.format}) scored ${count(other)} of ${counted(documents, 'document')} otherwise than expected${raised}.`;
  const counts: TableBlock = {
    kind: 'table',
    title: 'Documents',
    columns: [column('documents'), column('', 'count')],
    rows: [
      ['scored as expected', same],
      ['scored otherwise', other],
      ['not in the data', unknown],
    ],
  };
  const worst: TableBlock = {
    kind: 'table',
    title: 'Scores that are furthest off',
    columns: [...columns(undefined, 'query', 'document'), ...columns('general', 'expected', 'found')],
    rows: examples.map(({ query, document, expected, found: returned }) => [query, document, expected, returned]),
  };
  const off = examples.length > 0 ? [{ title: 'Scores that are furthest off', blocks: [worst] }] : [];
  const said = [
    ...(offsetIsKnown
      ? []
      : [
          'No file of convert has that added; where one was written so, name that offset. The order does not depend on it.',
        ]),
    ...notes.map(note => `${note}.`),
  ].map(text => ({ kind: 'text', text }) as const);
  return {
    title: `listwise: ${engine}`,
    verdict,
    sections: [{ title: 'Documents', blocks: [counts, ...said] }, ...off],
  };
}
