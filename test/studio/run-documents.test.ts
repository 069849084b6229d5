/** Runs as pictures: what belongs on one axis, and what it is called. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { LinesChart } from '#listwise/report/charts.js';
import { distinct } from '#listwise/report/distinct.js';
import type { Document } from '#listwise/report/document.js';
import { bestOf, runDocument, runsDocument } from '#listwise/studio/run-documents.js';
import { RunList, type StudioRun } from '#listwise/studio/run-list.js';
import { run } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';

const cwd = temporaryDirectory();
const file = (name: string) => join(cwd, name);

beforeAll(async () => {
  const cli = async (words: string) => {
    const { code, stderr } = await run([...words.split(' '), '--quiet', '--threads', '1'], { cwd });
    if (code !== 0) throw new Error(stderr);
  };
  await cli('generate cubic --queries 24 --docs 6 --features 4 --out data.txt');
  await cli('train data.txt --model linear --set epochs=3 --dir train');
  await cli('cv data.txt --model linear --set epochs=3 --folds 3 --dir cv');
  await cli('tune data.txt --space trees --set trees=6 --method halving --trials 18 --holdout 0.3 --dir tune');
}, 60_000);

async function followed(...names: string[]) {
  const runs = (await new RunList(names.map(file)).themselves())!;
  return Promise.all(runs.map(async one => ({ run: one, log: await one.run.readLog() })));
}

const charts = ({ sections }: Document) =>
  sections.flatMap(({ blocks }) => blocks).filter((block): block is LinesChart => block.kind === 'lines');

describe('a run as a picture', () => {
  it('has folds by their numbers, whichever ended first', async () => {
    cpSync(file('cv'), file('late'), { recursive: true });
    const lines = readFileSync(file('cv/log.jsonl'), 'utf8').trim().split('\n').reverse();
    const ended = lines.map((line, i) => JSON.stringify({ ...JSON.parse(line), iteration: i + 1 }));
    writeFileSync(file('late/log.jsonl'), `${ended.join('\n')}\n`);
    const [before, after] = await Promise.all(['cv', 'late'].map(async name => (await followed(name))[0]!));
    const [chart] = charts(runDocument(after!));
    expect(chart!.series.map(({ name }) => name)).toEqual(['fold 1', 'fold 2', 'fold 3']);
    expect(chart).toEqual(charts(runDocument(before!))[0]);
  });

  it('says the mean of the first measure where the selecting one is not among them', async () => {
    const results = JSON.parse(readFileSync(file('cv/results.json'), 'utf8')) as Record<string, unknown>;
    cpSync(file('cv'), file('asked'), { recursive: true });
    const asked = { ...results, mean: { 'p@3': 0.25, ap: 0.5 }, measures: [{ measure: 'ap' }, { measure: 'p@3' }] };
    writeFileSync(file('asked/results.json'), JSON.stringify(asked));
    const [one] = await followed('asked');
    expect(runDocument(one!).verdict).toBe('asked (cv, finished): ap 0.5000.');
    expect(bestOf(one!.run)).toEqual({ measure: 'ap', value: 0.5 });
  });

  it('says what became of the claims that it was to check', async () => {
    const record = JSON.parse(readFileSync(file('cv/run.json'), 'utf8')) as { options: object };
    cpSync(file('cv'), file('claims'), { recursive: true });
    writeFileSync(file('claims/run.json'), JSON.stringify({ ...record, command: 'reproduce', options: {} }));
    const findings = [{ claim: 'x', paper: '1', ours: '2', verdict: 'holds', tests: [] }];
    writeFileSync(file('claims/results.json'), JSON.stringify({ scale: 'tiny', findings }));
    const [one] = await followed('claims');
    expect(runDocument(one!).verdict).toBe('claims (reproduce, finished): The finding holds here, at the scale tiny.');
  });

  it('has no value of before while it goes on', async () => {
    const { run } = (await followed('train'))[0]!;
    expect(bestOf(run)).toBeDefined();
    const going = Object.create(run.run, { state: { value: 'running' } }) as StudioRun['run'];
    expect(bestOf({ ...run, run: going })).toBeUndefined();
    expect(runDocument({ run: { ...run, run: going }, log: [] }).verdict).toBe(
      'train (train) is running, after 0 iterations.',
    );
  });

  it('has the search that the report of tune has, trials that were stopped left out alike', async () => {
    const page = readFileSync(file('tune/report.html'), 'utf8');
    const report = JSON.parse(/id="report">(.*?)<\/script>/s.exec(page)![1]!) as Document;
    const course = charts(report).find(({ title }) => title === 'Trial by trial')!;
    expect(course.series[0]!.x.length).toBeLessThan(18);
    const [one] = await followed('tune');
    expect(charts(runDocument(one!))[0]).toEqual(course);
  });
});

describe('runs beside each other', () => {
  it('have an axis for iterations, one for folds and one for trials', async () => {
    const found = charts(runsDocument(await followed('train', 'cv', 'tune')));
    expect(found.map(({ x }) => x.label)).toEqual(['iteration', 'fold', 'trial']);
    expect(found.map(({ series }) => series.map(({ name }) => name))).toEqual([
      ['train'],
      ['cv'],
      ['tune, best so far'],
    ]);
    expect(found[1]!.series[0]!.x).toEqual([1, 2, 3]);
  });

  it('have names of their own', async () => {
    cpSync(file('train'), file('other/train'), { recursive: true });
    const document = runsDocument(await followed('train', 'other/train'));
    expect(charts(document)[0]!.series.map(({ name }) => name)).toEqual(['train', 'train (2)']);
    expect(document.verdict).toContain('train and train (2)');
    expect(distinct(['a', 'a (2)', 'a', 'a'])).toEqual(['a', 'a (2)', 'a (3)', 'a (4)']);
  });
});
