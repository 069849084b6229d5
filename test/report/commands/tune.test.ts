import { describe, expect, it } from 'vitest';
import { tuningDocument, verdictOf } from '#listwise/report/commands/tune.js';
import type { Block } from '#listwise/report/document.js';
import { shownOn } from '#listwise/report/shown-on.js';
import type { SearchSpace } from '#listwise/tuning/space.js';
import type { Trial, Tuned } from '#listwise/tuning/tune.js';

const space: SearchSpace = {
  model: 'net',
  search: { rate: { from: 0.01, to: 1, scale: 'log', whole: false }, hidden: { choices: [[5], [10, 5]] } },
};
const trial = (id: number, value: number, more: Partial<Trial> = {}): Trial => ({
  id,
  value,
  values: [value],
  seeds: [value],
  interval: [value - 0.1, value + 0.1],
  share: 1,
  iteration: 7.5,
  options: { rate: 0.1 * id, hidden: id % 2 ? [5] : [10, 5] },
  status: 'done',
  seconds: 2,
  curve: { iterations: [5, 10], values: [value / 2, value] },
  ...more,
});
const failed = trial(3, Number.NaN, { status: 'failed', error: 'ran off to infinity' });
const stopped = trial(4, 0.9, { status: 'stopped', share: 1 / 3 });
const trials = [trial(1, 0.5), trial(2, 0.6), failed, stopped];
const defaults = trial(0, 0.55, { options: {} });
const tuned: Tuned = { best: trials[1]!, defaults, trials, select: 'ndcg@10', configuration: { model: 'net' } };
const page = (of: Tuned = tuned) =>
  tuningDocument({ space, tuned: of, method: 'random', seeds: 1, folds: 2, queries: 40 });
const blocks = shownOn('page', page().sections).flatMap(section => section.blocks);
const ofKind = <Kind extends Block['kind']>(kind: Kind) =>
  blocks.filter((block): block is Extract<Block, { kind: Kind }> => block.kind === kind);

describe('tuning page', () => {
  it('says in one sentence what was found, and that the value was selected', () => {
    expect(page().verdict).toBe(
      'Trial 2 is the best: ndcg@10 0.6000 against 0.5500 of the defaults, on the queries that selected it.',
    );
    expect(verdictOf({ ...tuned, best: defaults })).toBe('No trial is better than the defaults: ndcg@10 0.5500.');
    expect(verdictOf({ ...tuned, defaults: undefined })).toBe('Trial 2 is the best: ndcg@10 0.6000.');
  });

  it('draws the outcome of every evaluated trial against each option, a ring around the best', () => {
    const [rate, hidden] = ofKind('scatter');
    expect([rate!.title, hidden!.title]).toEqual(['ndcg@10 by rate', 'ndcg@10 by hidden']);
    expect(rate!.x).toMatchObject({ domain: [0.01, 1], scale: 'log' });
    expect(hidden!.x).toMatchObject({ texts: ['[5]', '[10,5]'] });
    expect(rate!.points.map(({ name, x, y, marked }) => [name, x, y, marked])).toEqual([
      ['1', 0.1, 0.5, false],
      ['2', 0.2, 0.6, true],
      ['4', 0.4, 0.9, false],
    ]);
    expect(hidden!.points.map(({ x, series }) => [x, series])).toEqual([
      [0, 'trained in full'],
      [1, 'trained in full'],
      [1, 'stopped early'],
    ]);
  });

  it('draws how the best trials and the defaults were learned', () => {
    const [, curves] = ofKind('lines');
    expect(curves!.series.map(({ name, y }) => [name, y])).toEqual([
      ['trial 2', [0.3, 0.6]],
      ['trial 1', [0.25, 0.5]],
      ['defaults', [0.275, 0.55]],
    ]);
  });

  it('draws the course of trials trained in full', () => {
    const [chart] = ofKind('lines');
    expect(chart!.series.map(({ name, x, y }) => [name, x, y])).toEqual([
      ['best so far', [1, 2], [0.5, 0.6]],
      ['trial', [1, 2], [0.5, 0.6]],
      ['defaults', [1, 2], [0.55, 0.55]],
    ]);
  });

  it('lists every trial, the best of those trained in full first, and why one failed', () => {
    const [table] = ofKind('table');
    expect(table!.rows.map(row => row[0])).toEqual(['2', 'defaults', '1', '3', '4']);
    expect(table!.rows.map(row => row.at(-1))).toEqual([
      'done',
      'done',
      'done',
      'ran off to infinity',
      'stopped at 33 %',
    ]);
    expect(table!.rows[0]).toHaveLength(table!.columns.length);
  });

  it('says of options what can be said', () => {
    expect(ofKind('text').map(({ text }) => text)).toEqual(['The trials are too few to tell.']);
    const many = Array.from({ length: 20 }, (_, i) =>
      trial(i + 1, i, { options: { rate: 0.02 * (i + 1), hidden: [5] } }),
    );
    const found = page({ ...tuned, trials: many }).sections.flatMap(section => section.blocks);
    const bars = found.find(block => block.kind === 'bars');
    expect(bars?.bars.map(({ name }) => name)).toEqual(['rate']);
  });
});

it('writes options as --set takes them', () => {
  const named: SearchSpace = { model: 'trees', search: { featureShare: { choices: [0.5, 1] } } };
  const options = { featureShare: 0.5 };
  const of = { ...tuned, trials: trials.map(one => ({ ...one, options })), best: { ...trials[1]!, options } };
  const text = JSON.stringify(
    tuningDocument({ space: named, tuned: of, method: 'random', seeds: 1, folds: 2, queries: 40 }),
  );
  expect(text).toContain('"feature-share"');
  expect(text).not.toContain('featureShare');
});
