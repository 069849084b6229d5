import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { withoutSignals } from '../../platform.js';
import { temporaryDirectory } from '../../temporary.js';
import { run } from '../run.js';

const main = fileURLToPath(new URL('../../../dist/cli/main.js', import.meta.url));
const directory = temporaryDirectory();
const file = (name: string) => join(directory, name);

/** Labels follow feature 1. */
function data(queries: number, from: number): string {
  const lines: string[] = [];
  for (let q = from; q < from + queries; q++) {
    for (let d = 0; d < 8; d++) {
      const x = ((q * 7 + d * 13) % 17) / 17;
      lines.push(`${x > 0.8 ? 2 : x > 0.5 ? 1 : 0} qid:${q} 1:${x} 2:${((q * d) % 5) / 5} 3:${d}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

beforeAll(() => {
  writeFileSync(file('train.txt'), data(20, 0));
  writeFileSync(file('vali.txt'), data(10, 100));
  writeFileSync(file('config.json'), JSON.stringify({ model: 'linear', seed: 3, options: { epochs: 4, rate: 0.05 } }));
});

const train = (...args: string[]) => run(['train', ...args], { cwd: directory });

it('says even when quiet that there is no checkpoint', async () => {
  writeFileSync(file('in-the-way'), '');
  const args = ['train.txt', '--config', 'config.json', '--out', 'quiet.json', '--quiet', '--checkpoint', 'in-the-way'];
  const { code, stderr } = await train(...args);
  expect(stderr).toMatch(/^no checkpoint: .*a file is in the way; training goes on without one\n$/);
  expect(code).toBe(0);
});

/** Starts a long training, waits for its first checkpoint and sends a signal. */
async function interrupted(
  signal: 'SIGINT' | 'SIGKILL',
  name: string,
): Promise<{ code: number | null; stdout: string }> {
  const args = [...long(name), '--json'];
  const child = spawn(process.execPath, [main, 'train', ...args], { cwd: directory });
  let stdout = '';
  child.stdout.on('data', chunk => {
    stdout += chunk;
  });
  const ended = new Promise<number | null>(resolve => child.on('close', resolve));
  while (!existsSync(file(`${name}/checkpoint.json`))) await new Promise(resolve => setTimeout(resolve, 20));
  child.kill(signal);
  return { code: await ended, stdout };
}

const long = (name: string, epochs = 100000) => [
  'train.txt',
  '--validate',
  'vali.txt',
  '--model',
  'net',
  '--out',
  `${name}.json`,
  '--checkpoint',
  name,
  '--set',
  `epochs=${epochs}`,
  '--set',
  'patience=0',
];

describe('train', () => {
  it('goes on from a model of any format as from our own', async () => {
    // Two leaves a tree: one tree does not rank all.
    const settings = [
      'train.txt',
      '--model',
      'trees',
      '--holdout',
      '0',
      '--set',
      'leaves=2',
      '--set',
      'min-documents=2',
    ];
    await train(...settings, '--set', 'trees=1', '--out', 'first.json');
    await run(['convert', 'first.json', 'first.txt', '--to', 'lightgbm'], { cwd: directory });
    for (const from of ['first.json', 'first.txt']) {
      expect((await train(...settings, '--set', 'trees=9', '--from', from, '--out', `more-${from}`)).code).toBe(0);
    }
    const trees = (name: string) => JSON.parse(readFileSync(file(name), 'utf8')).trees as { threshold: number[] }[];
    const thresholds = (name: string) => trees(name).map(tree => tree.threshold);
    expect(trees('more-first.txt').length).toBeGreaterThan(1);
    expect(thresholds('more-first.txt')).toEqual(thresholds('more-first.json'));
  });

  it('refuses to go on from what it cannot go on from, by name', async () => {
    writeFileSync(file('weights.json'), '{"1": 1, "2": 0.5, "3": 0}');
    const other = await train('train.txt', '--model', 'trees', '--from', 'weights.json');
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('training cannot go on from this linear model: it must be of the kind trees'),
    ]);
    const data = await train('train.txt', '--model', 'trees', '--from', 'vali.txt');
    expect([data.code, data.stderr]).toEqual([
      2,
      expect.stringContaining('it is not a model of a format that is known'),
    ]);
  });

  it('trains, says what came out and where it went', async () => {
    const result = await train('train.txt', '--validate', 'vali.txt', '--model', 'linear', '--out', 'model.json');
    expect(result.stderr).toBe('');
    expect(result.stdout).toMatch(
      /^linear, lambdarank\(ndcg\): best of \d+ iterations is \d+, ndcg@10 [01]\.\d{4} on 10 validation queries \(.*\)\nndcg@10 [01]\.\d{4} [▁-█]+ [01]\.\d{4}\nmodel written to model.json\n$/,
    );
    expect(result.code).toBe(0);
    const evaluated = await run(['evaluate', 'model.json', 'vali.txt', '-m', 'ndcg@10', '--json'], { cwd: directory });
    expect(JSON.parse(evaluated.stdout).measures[0].mean).toBeGreaterThan(0.9);
  });

  it('says that the last iteration is kept where an earlier one may have been better', async () => {
    const { stdout, stderr } = await train('train.txt', '--model', 'svm', '--holdout', '0', '--out', 'svm.json');
    expect(stdout + stderr).toMatch(/svm, no objective: the last of \d+ iterations, ndcg@10 /);
  });

  it('prints one JSON object', async () => {
    const result = await train(
      'train.txt',
      '--model',
      'net',
      '--set',
      'epochs=3',
      '--select',
      'ap',
      '--json',
      '--log',
      'log.jsonl',
      '--force',
    );
    const json = JSON.parse(result.stdout);
    expect(json).toMatchObject({
      schema: 'listwise/train/1',
      model: 'model.json',
      iterations: 3,
      stopped: 'finished',
      kind: 'net',
      objective: 'lambdarank(ndcg)',
      best: { measure: 'ap' },
      selectedOn: { data: 'holdout', queries: 4 },
    });
    expect(Object.keys(json.seconds)).toEqual(['load', 'bin', 'train']);
    expect(json.peakBytes).toBeGreaterThan(1e7);
    expect(readFileSync(file('log.jsonl'), 'utf8').trim().split('\n')).toHaveLength(3);
    expect(result.stderr).toContain('4 of 20 queries are held out');
  });

  it('says which queries the model never saw, and trains on them with --refit', async () => {
    const args = ['train.txt', '--set', 'trees=5', '--out', 'refit.json'];
    const held = await train(...args, '--json');
    expect(JSON.parse(held.stdout)).toMatchObject({ queries: 16, heldOut: 4 });
    expect(held.stderr).toContain(
      '4 of 20 queries are held out to select the best iteration (--holdout), and never trained on; --refit trains on all',
    );
    const again = await train(...args, '--refit', '--json', '--dir', 'refitted', '--force');
    const { best, refitted, heldOut } = JSON.parse(again.stdout);
    expect([refitted, heldOut]).toEqual([{ iteration: best.iteration, queries: 20 }, 0]);
    expect(again.stderr).not.toContain('never trained on');
    const kept = JSON.parse(readFileSync(file('refitted/run.json'), 'utf8'));
    expect(kept.options.refit).toBe(true);
    expect(JSON.parse(readFileSync(file('refitted/results.json'), 'utf8')).refitted).toEqual(refitted);
    expect((await train('--dir', 'refitted', '--resume')).stdout).toContain(
      `refitted: trained again on all 20 queries to iteration ${best.iteration}`,
    );
  });

  it('reads a config; flags override it', async () => {
    const json = async (...args: string[]) =>
      JSON.parse((await train('train.txt', '--force', '--json', ...args)).stdout);
    expect(await json('--config', 'config.json')).toMatchObject({ kind: 'linear', iterations: 4 });
    expect(await json('--config', 'config.json', '--set', 'epochs=2')).toMatchObject({ kind: 'linear', iterations: 2 });
    const model = async (...args: string[]) => {
      await json(...args);
      return readFileSync(file('model.json'), 'utf8');
    };
    expect(await model('--config', 'config.json')).toBe(
      await model('--model', 'linear', '--seed', '3', '--set', 'epochs=4', '--set', 'rate=0.05'),
    );
    expect(await model('--config', 'config.json', '--seed', '1')).not.toBe(await model('--config', 'config.json'));
  });

  it('does not write over what is there without --force', async () => {
    const args = ['train.txt', '--set', 'trees=2', '--out', 'once.json', '--quiet'];
    writeFileSync(file('once.json'), '');
    expect((await train(...args)).code).toBe(0); // an empty file, as mktemp makes it, holds nothing
    const before = readFileSync(file('once.json'), 'utf8');
    const refused = await train(...args, '--seed', '9');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      'listwise: once.json: it exists already; --force writes over it, or name another file [file-exists]\n',
    ]);
    expect(readFileSync(file('once.json'), 'utf8')).toBe(before);
    expect((await train(...args, '--seed', '9', '--force')).code).toBe(0);
    expect(readFileSync(file('once.json'), 'utf8')).not.toBe(before);
    expect((await train('train.txt', '--out', 'vali.txt')).stderr).toContain('vali.txt: it exists already');
    const converted = await run(['convert', 'once.json', 'vali.txt', '--to', 'lightgbm'], { cwd: directory });
    expect(converted.stderr).toContain('vali.txt: it exists already; --force writes over it');
    const tuned = await run(['tune', 'train.txt', '--out', 'once.json'], { cwd: directory });
    expect(tuned.stderr).toContain('[file-exists]');
    const checkpoint = [...args, '--checkpoint', 'once'];
    expect((await train(...checkpoint, '--force')).code).toBe(0);
    expect((await train(...checkpoint, '--resume')).code).toBe(0);
  });

  it('prints the schema of config files', async () => {
    expect(JSON.parse((await train('--schema')).stdout).anyOf.length).toBeGreaterThan(1);
  });

  it.skipIf(withoutSignals)(
    'is interrupted cleanly with the best model saved, and resumed to the same bytes',
    async () => {
      const { code, stdout } = await interrupted('SIGINT', 'broken');
      expect(code).toBe(130);
      const json = JSON.parse(stdout);
      expect(json.stopped).toBe('interrupted');
      expect(existsSync(file('broken.json'))).toBe(true);
      const epochs = json.iterations + 20;
      expect((await train(...long('broken', epochs), '--resume')).code).toBe(0);
      expect((await train(...long('whole', epochs))).code).toBe(0);
      expect(readFileSync(file('broken.json'), 'utf8')).toBe(readFileSync(file('whole.json'), 'utf8'));
    },
  );

  it('is resumed after kill -9, too', async () => {
    await interrupted('SIGKILL', 'killed');
    const epoch = JSON.parse(readFileSync(file('killed/checkpoint.json'), 'utf8')).state.log.length;
    expect((await train(...long('killed', epoch + 5), '--resume')).code).toBe(0);
    expect((await train(...long('unkilled', epoch + 5))).code).toBe(0);
    expect(readFileSync(file('killed.json'), 'utf8')).toBe(readFileSync(file('unkilled.json'), 'utf8'));
    expect(readdirSync(file('killed')).filter(name => name.endsWith('.tmp'))).toEqual([]);
  });

  it('says what is wrong before it trains', async () => {
    const stderr = async (...args: string[]) => {
      const result = await train(...args);
      expect(result.code).toBe(2);
      return result.stderr;
    };
    expect(await stderr()).toContain('give the training data');
    expect(await stderr('train.txt', '--model', 'net', '--set', 'leaves=3')).toContain('net has no option "leaves"');
    expect(await stderr('train.txt', '--resume')).toContain('--resume needs --checkpoint');
    expect(await stderr('train.txt', '--validate', 'vali.txt', '--holdout', '0.1')).toContain(
      'does not go with --validate',
    );
    expect(await stderr('train.txt', '--holdout', 'x')).toContain('--holdout is a number of at least 0 and below 1');
    expect(await stderr('train.txt', '--out', 'nowhere/model.json')).toContain('its directory does not exist');
    expect(await stderr('train.txt', '--config', 'none.json')).toContain('no such config file');
  });
});
