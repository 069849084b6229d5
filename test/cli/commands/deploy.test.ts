import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const folder = temporaryDirectory();
const at = (name: string) => join(folder, name);
const logs = ['engine/logs.json', '--judgments', 'engine/judgments.txt'];

/** Trained on logs in which features are missing. */
async function model(): Promise<string> {
  const settings = ['--set', 'trees=20', '--set', 'leaves=4', '--set', 'min-documents=5', '--threads', '1'];
  const { code } = await run(['train', ...logs, '--model', 'trees', ...settings, '--out', at('trees.json'), '--force']);
  expect(code).toBe(0);
  return at('trees.json');
}

describe('deploy check', () => {
  it('says what an engine that sends missing values right makes of a model', async () => {
    const { code, stdout } = await run([
      'deploy',
      'check',
      await model(),
      ...logs,
      '--engine',
      'opensearch@3.5',
      '--json',
    ]);
    expect(code).toBe(0);
    const found = JSON.parse(stdout);
    expect(found).toMatchObject({ schema: 'listwise/deploy/1', engine: 'opensearch@3.5', documents: 240 });
    expect(found.format).toBe('xgboost-dump');
    expect(found.otherLeaf).toBe(found.withMissing);
    expect(found.otherRank).toBeGreaterThan(100);
    expect(found.measures).toHaveLength(1);
    expect(found.measures[0].there).toBeLessThan(found.measures[0].here - 0.1);
    expect(found.examples[0].split).toMatchObject({ value: null, left: { here: true, there: false } });
    expect(found.advice.join(' ')).toMatch(/OpenSearch 3\.8 or later/);
  });

  it('finds nothing where the engine follows the nodes', async () => {
    const { stdout } = await run([
      'deploy',
      'check',
      await model(),
      ...logs,
      '--engine',
      'opensearch@3.8',
      '-m',
      'ndcg@5',
    ]);
    expect(stdout).toMatch(/^opensearch@3\.8 \(xgboost-dump\): all 240 documents rank as here\.\n/);
  });

  it('writes a page', async () => {
    const line = ['deploy', 'check', await model(), ...logs, '--engine', 'opensearch@3.2', '--report', at('page.html')];
    expect((await run(line)).code).toBe(0);
    expect(readFileSync(at('page.html'), 'utf8')).toContain('Documents that move furthest');
  });

  it.each([
    ['opensearch', /--engine must be NAME@VERSION, such as opensearch@3\.8, found "opensearch"/],
    ['opensaerch@3', /there is no engine "opensaerch"; did you mean "opensearch"\?/],
    ['solr@5', /nothing is known of solr 5: learning to rank is known there since 6\.4/],
  ])('refuses %s', async (engine, message) => {
    const { code, stderr } = await run(['deploy', 'check', 'trees.json', 'test.txt', '--engine', engine]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  it('refuses a format that the engine does not take', async () => {
    const line = ['deploy', 'check', 'trees.json', 'test.txt', '--engine', 'opensearch@2.5', '--to', 'xgboost-raw'];
    const { code, stderr } = await run(line);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/takes no trees model as "xgboost-raw"; it takes xgboost-dump, ranklib/),
    ]);
  });
});
