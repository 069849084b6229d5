import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseObjective } from '#listwise/objectives/parse.js';
import { trainerOf } from '#listwise/training/all.js';
import { checkOptions } from '#listwise/training/options.js';
import { valueAt } from '#listwise/tuning/dimension.js';
import {
  checkSpace,
  configurationOf,
  hasDefaults,
  parseSpace,
  type SearchSpace,
  spaceSchema,
} from '#listwise/tuning/space.js';

const folder = new URL('../../configs/spaces/', import.meta.url);
const ready = readdirSync(folder);
const parse = (space: object) => parseSpace(JSON.stringify(space), 'space.json');

describe.each(ready)('configs/spaces/%s', file => {
  const space = parseSpace(readFileSync(new URL(file, folder), 'utf8'), file);

  it('gives configurations that can be trained, at every choice and both ends', () => {
    const keys = Object.keys(space.search);
    const most = Math.max(...Object.values(space.search).map(given => ('choices' in given ? given.choices.length : 2)));
    for (let i = 0; i < most; i++) {
      const values = Object.fromEntries(keys.map(key => [key, valueAt(space.search[key]!, (i + 0.5) / most)]));
      const { model, objective, options } = configurationOf(space, values);
      expect(() => checkOptions(trainerOf(model), options ?? {})).not.toThrow();
      if (typeof objective === 'string') expect(parseObjective(objective).spec).not.toContain('{');
    }
  });

  it('says where its schema is', () => {
    const { $schema } = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const schema = JSON.parse(readFileSync(new URL($schema, new URL(file, folder)), 'utf8'));
    expect(schema).toEqual(JSON.parse(JSON.stringify(spaceSchema())));
  });
});

describe('configuration', () => {
  const space: SearchSpace = {
    model: 'linear',
    objective: 'approx(ndcg,alpha={alpha})',
    options: { epochs: 90 },
    search: { alpha: { choices: [10, 50] }, rate: { from: 0.01, to: 0.1, scale: 'log', whole: false } },
  };

  it('puts values into options and into braces of the objective', () => {
    expect(configurationOf(space, { alpha: 50, rate: 0.02 })).toMatchObject({
      model: 'linear',
      objective: 'approx(ndcg,alpha=50)',
      options: { epochs: 90, rate: 0.02 },
    });
    expect(hasDefaults(space)).toBe(false);
    expect(hasDefaults({ ...space, objective: 'ranknet' })).toBe(true);
  });

  it('takes a share of the iterations', () => {
    expect(configurationOf(space, { alpha: 10 }, 1 / 9).options).toEqual({ epochs: 10 });
    const { options } = configurationOf({ ...space, options: {}, search: {} }, {}, 0.5);
    expect(options).toEqual({ epochs: 100 });
  });

  it('takes the objective that is chosen', () => {
    const chosen = checkSpace({
      model: 'linear',
      search: { objective: { choices: ['ranknet', 'approx(ap,alpha={a})'] }, a: { choices: [1, 2] } },
    });
    expect(configurationOf(chosen, { objective: 'approx(ap,alpha={a})', a: 2 }).objective).toBe('approx(ap,alpha=2)');
    expect(configurationOf(chosen, { objective: 'ranknet', a: 2 })).toMatchObject({
      objective: 'ranknet',
      options: {},
    });
    expect(configurationOf(chosen, {}).objective).toBeUndefined();
  });
});

describe('a space that is wrong', () => {
  const search = { rate: { choices: [0.1] } };
  it.each<[string, object, string]>([
    ['not a model', { model: 'tree', search }, 'did you mean "trees"?'],
    ['a key unknown', { model: 'trees', search, searches: 1 }, 'Keys: model'],
    ['nothing to search', { model: 'trees', search: {} }, 'names nothing to search over'],
    ['no search', { model: 'trees' }, '"search"'],
    ['an option misspelt', { model: 'trees', search: { leavs: { choices: [1] } } }, 'did you mean "leaves"?'],
    [
      'a value out of range',
      { model: 'trees', search: { rate: { choices: [-1] } } },
      'rate is a number above 0, found "-1"',
    ],
    ['an end out of range', { model: 'trees', search: { bins: { from: 2, to: 999, whole: true } } }, 'found "999"'],
    ['fixed and searched', { model: 'trees', search, options: { rate: 1 } }, 'both fixed in "options" and searched'],
    ['ends the wrong way round', { model: 'trees', search: { rate: { from: 2, to: 1 } } }, '"from" must be below "to"'],
    [
      'log from 0',
      { model: 'trees', search: { l2: { from: 0, to: 1, scale: 'log' } } },
      'a log scale needs "from" above 0',
    ],
    [
      'whole numbers between',
      { model: 'trees', search: { leaves: { from: 2.5, to: 4, whole: true } } },
      'need whole ends',
    ],
    [
      'a range of reals for a whole option',
      { model: 'trees', search: { leaves: { from: 3, to: 20 } } },
      'A range of whole numbers says "whole": true',
    ],
    ['half a range', { model: 'trees', search: { rate: { from: 0.5 } } }, 'found {"from":0.5}'],
    ['a choice twice', { model: 'net', search: { hidden: { choices: [[1], [1]] } } }, 'the choice [1] is named twice'],
    [
      'an open objective',
      { model: 'trees', objective: 'approx(ndcg,alpha={a})', search },
      'which "search" does not name',
    ],
  ])('%s', (_, space, message) => {
    expect(() => parse(space)).toThrow(message);
    expect(() => parse(space)).toThrow(/^space\.json: /);
  });

  it('is no JSON', () => {
    expect(() => parseSpace('{', 'space.json')).toThrow('a search space is JSON');
  });
});
