import { describe, expect, it } from 'vitest';
import { measureDefinitions } from '#listwise/measures/all.js';
import { commonParameters, type MeasureDefinition } from '#listwise/measures/measure.js';
import { parseMeasure } from '#listwise/measures/parse.js';
import { type Preset, type PresetName, presets } from '#listwise/measures/presets.js';
import { DatasetView } from '#listwise/measures/query-view.js';
import type { Parameters } from '#listwise/spec/parameters.js';
import { datasetOf, type List, ranked, viewOf } from './lists.js';

const under = (preset: PresetName, spec: string) => parseMeasure(spec, { preset: presets[preset] });
const value = (preset: PresetName, spec: string, list: List) => under(preset, spec).value(viewOf(list));

describe('what a preset makes of a measure', () => {
  it.each([
    ['listwise', 'ndcg@5', 'ndcg@5'],
    ['trec_eval', 'ndcg', 'ndcg(gain=linear)'],
    ['trec_eval', 'ndcg_cut_10', 'ndcg(gain=linear)@10'],
    ['trec_eval', 'map', 'ap'],
    ['trec_eval', 'rbp', 'rbp(p=0.9,grades=graded)'],
    ['trec_eval', 'rbp(p=0.5)', 'rbp(p=0.5,grades=graded)'],
    ['letor', 'ndcg@5', 'ndcg(discount=letor,ideal=list)@5'],
    ['ranklib', 'ndcg', 'ndcg(ideal=list)@10'],
    ['ranklib', 'ndcg@3', 'ndcg(ideal=list)@3'],
    ['ranklib', 'err', 'err@10'],
    ['ranklib', 'p', 'p(over=list)@10'],
    ['ranklib', 'map', 'ap(ideal=list)'],
    ['lightgbm', 'ndcg@5', 'ndcg(ideal=list,empty=1)@5'],
    ['lightgbm', 'map@5', 'ap(divisor=cut,ideal=list,empty=1)@5'],
    ['lightgbm', 'ndcg(empty=skip)', 'ndcg(ideal=list,empty=skip)'],
    ['xgboost', 'map@5', 'ap(divisor=cut,ideal=list,empty=1)@5'],
    ['xgboost', 'p@5', 'p@5'],
  ] as const)('%s: %s is %s', (preset, asked, spec) => {
    const measure = under(preset, asked);
    expect(measure.spec).toBe(spec);
    expect(parseMeasure(spec).spec, 'means the same without the preset').toBe(spec);
  });
});

it('ranks, gains and divisors as the systems do', () => {
  const list = ranked([1, 0, 2], [2]);
  expect(value('trec_eval', 'ndcg', list)).toBeCloseTo((1 + 2 / 2) / (2 + 2 / Math.log2(3) + 1 / 2), 14);
  expect(value('lightgbm', 'ndcg', list)).toBeCloseTo((1 + 3 / 2) / (3 + 1 / Math.log2(3)), 14);
  expect(value('letor', 'ndcg', list)).toBeCloseTo((1 + 3 / Math.log2(3)) / (3 + 1), 14);
  expect(value('lightgbm', 'map@1', list)).toBe(1);
  expect(value('trec_eval', 'map_cut_1', list)).toBeCloseTo(1 / 3, 14);
  expect(value('trec_eval', 'p@5', list)).toBe(2 / 5);
  expect(value('ranklib', 'p@5', list)).toBe(2 / 3);
});

it('breaks ties as the systems do', () => {
  const list: List = { labels: [1, 0], scores: [3, 3], outside: [] };
  const first = (preset: PresetName) =>
    new DatasetView(datasetOf(list), presets[preset].ties).moveTo(0, [3, 3]).order[0];
  expect(first('lightgbm')).toBe(0);
  expect(first('trec_eval'), 'document id "2" comes before "1"').toBe(1);
});

it('every value of a preset is one that the parameter allows', () => {
  const definitions: readonly MeasureDefinition[] = measureDefinitions;
  for (const [name, preset] of Object.entries<Preset>(presets)) {
    const unused = new Set(Object.keys(preset.parameters));
    for (const definition of definitions) {
      const values = { ...preset.parameters, ...preset.measures?.[definition.name] };
      const parameters: Parameters = { ...definition.parameters, ...commonParameters };
      for (const [key, parameter] of Object.entries(parameters)) {
        if (!(key in values)) continue;
        unused.delete(key);
        expect(parameter.parse(parameter.print(values[key])), `${name}: ${definition.name}(${key})`).toEqual(
          values[key],
        );
      }
    }
    expect([...unused], `${name}: parameters that no measure has`).toEqual([]);
    const known = definitions.map(definition => definition.name);
    expect(known).toEqual(expect.arrayContaining(Object.keys({ ...preset.cuts, ...preset.measures })));
  }
});
