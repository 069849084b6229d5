import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  configOf,
  experimentFile,
  experiments,
  type Finding,
  keptResult,
  notRun,
  type Reproduced,
  readmeWith,
  reproduce,
  scales,
} from '#listwise/reproduce/index.js';

const collections = join(import.meta.dirname, '../../../shared/data');

/** Six significant digits: the last ones of a float may differ between machines. */
function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, entry) => (typeof entry === 'number' ? Number(entry.toPrecision(6)) : entry)),
  );
}

function kept(name: string, file: string): Reproduced {
  return JSON.parse(readFileSync(experimentFile(name, file), 'utf8'));
}

/** Claims whose values are drawn with those of the claim before them. */
const DRAWN_BEFORE = /at least as many times faster/;

it.each(experiments.filter(({ name }) => /^[a-z]+-\d{4}-/.test(name)))(
  '$name: values that the paper prints are drawn beside ours',
  ({ name, findings }) => {
    const printed = findings(kept(name, 'tiny.json').outcome).filter(
      ({ claim, paper }) => /\d\.\d/.test(paper) && !DRAWN_BEFORE.test(claim),
    );
    const without = printed.filter(({ drawn }) => !drawn?.curves.some(({ paper }) => paper !== undefined));
    expect(without.map(({ claim, paper }) => [claim, paper])).toEqual([]);
  },
);

describe.each(experiments)('$name', experiment => {
  const { name } = experiment;
  const absent = experiment.collections.find(collection => !existsSync(join(collections, collection)));

  it.skipIf(absent)(
    `tiny: a fresh run gives the result kept${absent ? ` (skipped: ../shared/data/${absent} is absent)` : ''}`,
    async () => {
      const { scale, seed, config, outcome, findings } = kept(name, 'tiny.json');
      expect([scale, config]).toEqual(['tiny', configOf(experiment, 'tiny')]);
      const settings = { seed, threads: 2, signal: new AbortController().signal, collections };
      const fresh = await reproduce(experiment, 'tiny', settings);
      const settled = experiment.withoutTimes ?? ((all: unknown) => all);
      expect(rounded(settled(fresh.outcome))).toEqual(rounded(settled(outcome)));
      const compared = ({ claim, paper, ...ours }: Finding) => [
        claim,
        paper,
        ...(experiment.withoutTimes ? [] : [ours]),
      ];
      expect(rounded(fresh.findings.map(compared))).toEqual(rounded(findings.map(compared)));
    },
    60_000,
  );

  it('has a config for every scale', () => {
    for (const scale of scales) expect(configOf(experiment, scale)).toBeDefined();
  });

  it('results kept were made with the config, and is what the README shows', () => {
    const results = (['paper', 'small'] as const).flatMap(scale => keptResult(experiment, scale) ?? []);
    // A protocol is committed before its run, and says so until then.
    expect(results.length === 0).toBe(notRun().includes(name));
    for (const { scale, config, outcome, findings } of results) {
      expect(config).toEqual(configOf(experiment, scale));
      expect(rounded(experiment.findings(outcome))).toEqual(rounded(findings));
    }
    const readme = readFileSync(experimentFile(name, 'README.md'), 'utf8');
    expect(readmeWith(experiment, results, readme)).toBe(readme);
  });
});
