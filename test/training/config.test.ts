import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { trainers } from '#listwise/training/all.js';
import { configSchema, parseConfig } from '#listwise/training/config.js';
import { checkOptions, optionProperties, optionsFromText } from '#listwise/training/options.js';
import { trainNamed } from '#listwise/training/train.js';
import { separable } from './small-data.js';

const configs = fileURLToPath(new URL('../../configs', import.meta.url));

describe('config files', () => {
  for (const file of readdirSync(configs).filter(name => name.endsWith('.json'))) {
    it(`${file} runs`, async () => {
      const config = parseConfig(readFileSync(`${configs}/${file}`, 'utf8'), file);
      const trained = await trainNamed({
        ...config,
        data: separable(12, 8, 4),
        options: { ...config.options, epochs: 3 },
      });
      expect(trained.iterations).toBe(3);
      expect(trained.trainer).toBe(config.model);
    });
  }

  it('hold what the papers say, and no more', () => {
    const read = (file: string) => parseConfig(readFileSync(`${configs}/${file}`, 'utf8'), file);
    // Eq. 9 of Burges et al. has no truncation; NDCG@10 is what their rate rule looks at.
    expect(read('burges-2006.json')).toMatchObject({ objective: 'lambdarank(ndcg)', select: 'ndcg@10' });
    expect(read('burges-2006.json').options).toMatchObject({ rateFactor: 0.8, rateWatch: 'training' });
    // Yilmaz and Robertson name no rule for the rate.
    expect(read('yilmaz-2010.json').options).not.toHaveProperty('rateFactor');
  });

  it('are checked, with the file named', () => {
    const parse = (value: unknown) => () => parseConfig(JSON.stringify(value), 'c.json');
    expect(parse([])).toThrow('a config is a JSON object');
    expect(parse({ model: 'net', rate: 1 })).toThrow('a config has no key "rate". Keys: model,');
    expect(parse({})).toThrow(`"model" is one of ${Object.keys(trainers).join(', ')}`);
    expect(parse({ model: 'linear', options: { hidden: [3] } })).toThrow('c.json: linear has no option "hidden"');
    expect(parse({ model: 'net', options: { hidden: 10 } })).toThrow(
      'hidden is a list of at least 1, each a whole number of at least 1, found "10"',
    );
    expect(parse({ model: 'trees', options: { monotone: [true] } })).toThrow(
      'monotone is a list, each text or a number',
    );
    expect(parse({ model: 'trees', options: { categorical: ['city'] } })).toThrow(
      'trees has no option "categorical": columns are declared when data is read, with `categories`',
    );
    expect(parse({ model: 'net', options: { 'rate-factor': 0.5 } })).toThrow(
      'c.json: "rate-factor" is written "rateFactor" here',
    );
    expect(parse({ model: 'net', options: { rate: 'fast' } })).toThrow('rate is a number above 0, found "fast"');
    expect(parse({ model: 'net', holdout: 2 })).toThrow('c.json: "holdout"');
  });

  it.each([
    ['{', 1, 2, 'the text ends too soon'],
    ['{"model": "net",\n  "options": {"rate": fast}}', 2, 23, 'found "fast" where it cannot stand'],
    ['{"model": "net",\n}', 2, 1, 'found "}" where it cannot stand'],
    ['{"title": "für",, }', 1, 18, 'found "," where it cannot stand'],
    ['{"holdout": NaN}', 1, 13, 'found "NaN" where it cannot stand'],
  ])('that are no JSON are reported by line and column: %s', (text, line, column, what) => {
    const place = { code: 'option-invalid', place: { file: 'c.json', line, column } };
    expect(() => parseConfig(text, 'c.json')).toThrow(expect.objectContaining(place));
    expect(() => parseConfig(text, 'c.json')).toThrow(`c.json:${line}:${column}: a config is JSON: ${what}`);
  });

  it('have a JSON schema that names every option', () => {
    const { anyOf } = configSchema() as {
      anyOf: { properties: Record<string, { properties?: object; const?: string }> }[];
    };
    expect(anyOf.map(kind => kind.properties.model!.const)).toEqual(Object.keys(trainers));
    for (const [i, trainer] of Object.values(trainers).entries()) {
      expect(Object.keys(anyOf[i]!.properties.options!.properties!)).toEqual(Object.keys(trainer.options.shape));
    }
  });
});

describe('options', () => {
  it('are read from KEY=VALUE', () => {
    const given = optionsFromText(trainers.net, [
      'hidden=20,10',
      'rate-factor=0.8',
      'batch=all',
      'shuffle=false',
      'rate=1e-3',
    ]);
    expect(given).toEqual({ hidden: [20, 10], rateFactor: 0.8, batch: 'all', shuffle: false, rate: 0.001 });
    expect(optionsFromText(trainers.net, ['hidden=7'])).toEqual({ hidden: [7] });
    expect(() => optionsFromText(trainers.net, ['hidden'])).toThrow('`set` takes KEY=VALUE, found "hidden"');
    expect(() => optionsFromText(trainers.net, ['raet=1'])).toThrow('net has no option "raet"; did you mean "rate"?');
    const none = 'a net without hidden layers is a linear model (`model: linear`)';
    for (const [text, found] of [
      ['hidden=', 'none'],
      ['hidden=none', 'none'],
      ['hidden=0', '"0"'],
    ] as const) {
      expect(() => checkOptions(trainers.net, optionsFromText(trainers.net, [text]))).toThrow(
        `hidden is a list of at least 1, each a whole number of at least 1, found ${found}; ${none}`,
      );
    }
  });

  it('all have a default and a description', () => {
    for (const trainer of Object.values(trainers)) {
      for (const [key, property] of Object.entries(optionProperties(trainer))) {
        expect(property.default, key).toBeDefined();
        expect(property.description, key).toBeTruthy();
      }
    }
  });
});
