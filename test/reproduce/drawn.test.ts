import { expect, it } from 'vitest';
import { besideSection, type Drawn, sharesDrawn, testedDrawn, testsDrawn } from '#listwise/reproduce/drawn.js';
import { byValues, intervalOf, testedOver } from '#listwise/reproduce/evidence.js';

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

it('draws what a test is about with its interval, a sample of one without, nothing of none', () => {
  const test = testedOver('data sets', [1, 2, 3]);
  const [low, high] = intervalOf(test);
  expect(low).toBeCloseTo(2 - 4.303 / Math.sqrt(3), 3);
  expect(high).toBeCloseTo(2 + 4.303 / Math.sqrt(3), 3);
  const { drawn } = testedDrawn('a less b', test);
  expect(drawn!.curves).toEqual([{ name: 'a less b', at: [0], ours: [2], low: [low], high: [high] }]);
  const [alone] = testedDrawn('a less b', testedOver('data sets', [2])).drawn!.curves;
  expect(alone).toMatchObject({ ours: [2], low: [2], high: [2] });
  expect(testedDrawn('a less b', testedOver('data sets', []))).toEqual({});
});

it('draws several tests of one claim, those without a sample left out', () => {
  const tests = [[1, 2, 3], [], [5]].map((values, i) => ({ name: `${i}`, tested: testedOver('data sets', values) }));
  const { drawn } = testsDrawn(tests, 'difference over data sets');
  expect(drawn).toMatchObject({ y: 'difference over data sets', curves: [{ name: '0' }, { name: '2', ours: [5] }] });
});

it('draws shares beside the none of the paper', () => {
  const { curves } = sharesDrawn([{ name: 'cubic', share: 0.1 }], 'share of directions');
  expect(curves).toEqual([{ name: 'cubic', at: [0], paper: [0], ours: [0.1] }]);
});
