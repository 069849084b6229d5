import { expect, it } from 'vitest';
import type { Report } from '#listwise/report/document.js';
import { withoutTimes } from '#listwise/report/without-times.js';
import { origin } from './origin.js';

const x = { label: 'iteration', style: 'count' } as const;
const series = [{ name: 'a', x: [1], y: [2] }];

it('takes out values, columns and charts of seconds, and sections that had nothing else', () => {
  const report: Report = {
    title: 'Run',
    verdict: 'It ran.',
    origin,
    sections: [
      {
        title: 'Kept',
        blocks: [
          {
            kind: 'values',
            values: [
              { label: 'a', value: 1 },
              { label: 'took', value: 2, style: 'seconds' },
            ],
          },
          {
            kind: 'table',
            title: 'Folds',
            columns: [{ title: 'fold' }, { title: 'seconds', style: 'seconds' }, { title: 'value', style: 'value' }],
            rows: [['1', 0.5, 0.25]],
          },
          { kind: 'lines', title: 'Values', x, y: { label: 'value', style: 'value' }, series },
        ],
      },
      {
        title: 'Time',
        blocks: [
          { kind: 'values', values: [{ label: 'took', value: 2, style: 'seconds' }] },
          { kind: 'lines', title: 'Seconds', x, y: { label: 'seconds', style: 'seconds' }, series },
        ],
      },
    ],
  };
  const { sections, ...rest } = withoutTimes(report);
  expect(rest).toEqual({ title: 'Run', verdict: 'It ran.', origin });
  expect(sections.map(({ title }) => title)).toEqual(['Kept']);
  const [values, table, lines] = sections[0]!.blocks;
  expect(values).toEqual({ kind: 'values', values: [{ label: 'a', value: 1 }] });
  expect(table).toMatchObject({ columns: [{ title: 'fold' }, { title: 'value' }], rows: [['1', 0.25]] });
  expect(lines).toEqual(report.sections[0]!.blocks[2]);
});
