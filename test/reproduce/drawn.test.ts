import { expect, it } from 'vitest';
import { besideSection, type Drawn } from '#listwise/reproduce/drawn.js';
import { byValues } from '#listwise/reproduce/evidence.js';

const finding = (claim: string, holds: boolean, drawn?: Drawn) => ({
  claim,
  paper: '',
  ours: '',
  ...(drawn && { drawn }),
  ...byValues(holds),
});

it('draws the paper’s curve beside ours, which has the colour of the verdict', () => {
  const curves = [{ at: [1, 2], paper: [3, 4], ours: [5, 6], low: [4, 5], high: [6, 7] }];
  const [section] = besideSection([finding('rises', false, { y: 'points', x: { label: 'cut-off' }, curves })]);
  expect(section!.blocks).toEqual([
    {
      kind: 'lines',
      title: 'rises',
      x: { label: 'cut-off' },
      y: { label: 'points', style: 'general' },
      series: [
        { name: 'paper', tone: 'theirs', x: [1, 2], y: [3, 4] },
        { name: 'here: contradicted', tone: 'contradicted', x: [1, 2], y: [5, 6], low: [4, 5], high: [6, 7] },
      ],
    },
  ]);
});

it('single values of one kind stand together, the paper’s only where it prints them', () => {
  const one = (ours: number, paper?: number[]): Drawn => ({ y: 'times', curves: [{ at: [0], paper, ours: [ours] }] });
  const [section] = besideSection([
    finding('a', true, one(5, [4])),
    finding('b', false, one(2)),
    finding('without values', true),
  ]);
  expect(section!.blocks).toHaveLength(1);
  expect(section!.blocks[0]).toMatchObject({
    kind: 'intervals',
    dots: [
      { label: 'a', series: 'paper', tone: 'theirs', value: 4 },
      { label: 'a', series: 'here: holds', tone: 'holds', value: 5 },
      { label: 'b', series: 'here: contradicted', tone: 'contradicted', value: 2 },
    ],
  });
});

it('is left out where there is nothing to draw', () => {
  expect(besideSection([finding('without values', true)])).toEqual([]);
});
