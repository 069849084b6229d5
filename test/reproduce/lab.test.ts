import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Lab, StepStore } from '#listwise/reproduce/index.js';
import { temporaryDirectory } from '../temporary.js';

const file = () => join(temporaryDirectory(), 'checkpoint', 'steps.jsonl');
const signal = new AbortController().signal;
const lab = (store?: StepStore) => new Lab({ seed: 1, threads: 1, signal, store });

describe('steps of an experiment', () => {
  it('what was finished is not run again', async () => {
    const path = file();
    const first = new StepStore(path, { seed: 1 });
    await lab(first).step('a', () => ({ value: 0.1 + 0.2 }));
    first.close();
    const again = new StepStore(path, { seed: 1 });
    const never = () => {
      throw new Error('ran again');
    };
    expect(await lab(again).step('a', never)).toEqual({ value: 0.1 + 0.2 });
    await expect(lab(again).step('b', never)).rejects.toThrow('ran again');
    again.close();
  });

  it('what experiments share is kept apart, by all that it depends on', async () => {
    const [own, shared] = [new StepStore(file(), { of: 'own' }), new StepStore(file(), { of: 'shared' })];
    const names: string[] = [];
    const settings = { seed: 1, threads: 1, signal, store: own, shared };
    const both = new Lab({ ...settings, onStep: (_, __, name) => void names.push(name) });
    expect(await both.sharedStep('training', { rate: 1 }, () => 'a')).toBe('a');
    expect(await both.sharedStep('training', { rate: 2 }, () => 'b')).toBe('b');
    expect(await new Lab(settings).sharedStep('training', { rate: 1 }, () => 'c')).toBe('a');
    expect([own.size, shared.size, names]).toEqual([0, 2, ['training', 'training']]);
    // Without a store for it, it is a step like others.
    await lab(own).sharedStep('training', { rate: 1 }, () => 'd');
    expect(own.size).toBe(1);
    own.close();
    shared.close();
  });

  it('a line that was being written when the process died is left out, and the file goes on whole', async () => {
    const path = file();
    const first = new StepStore(path, { of: 'x' });
    first.put('a', 1);
    first.close();
    appendFileSync(path, '{"key":"b","resu');
    const again = new StepStore(path, { of: 'x' });
    expect([again.size, again.get('b')]).toEqual([1, undefined]);
    again.put('b', 2);
    again.close();
    expect(
      readFileSync(path, 'utf8')
        .trim()
        .split('\n')
        .map(line => JSON.parse(line).entry),
    ).toEqual([{ of: 'x' }, { key: 'a', result: 1 }, { key: 'b', result: 2 }]);
  });

  it('results of other settings are refused', () => {
    const path = file();
    new StepStore(path, { seed: 1 }).close();
    expect(() => new StepStore(path, { seed: 2 })).toThrow(/other settings: seed \(1, now 2\).*`force: true`/);
  });

  it.each([
    ['garbage', '{"key": garbage\n'],
    ['zeros', `${'\0'.repeat(200)}\n`],
    ['null', 'null\n'],
  ])('a line of %s is refused by its number', (_, line) => {
    const path = file();
    const store = new StepStore(path, { seed: 1 });
    store.put('a', 1);
    store.close();
    appendFileSync(path, line);
    expect(() => new StepStore(path, { seed: 1 })).toThrow(/:3: the line does not match its checksum/);
  });

  it('a result that was changed is refused', () => {
    const path = file();
    const store = new StepStore(path, { seed: 1 });
    store.put('a', 0.25);
    store.close();
    writeFileSync(path, readFileSync(path, 'utf8').replace('0.25', '0.35'));
    expect(() => new StepStore(path, { seed: 1 })).toThrow(/:2: the line does not match its checksum/);
  });

  it('a step that was broken off leaves nothing', async () => {
    const store = new StepStore(file(), { of: 'x' });
    const controller = new AbortController();
    const broken = new Lab({ seed: 1, threads: 1, signal: controller.signal, store });
    const interrupted = {
      code: 'training-interrupted',
      message: expect.stringContaining('interrupted in the step "a", before all were done'),
    };
    await expect(
      broken.step('a', () => {
        controller.abort();
        return 'half';
      }),
    ).rejects.toMatchObject(interrupted);
    // However the work ends, and where none is begun.
    const failing = new AbortController();
    await expect(
      new Lab({ seed: 1, threads: 1, signal: failing.signal, store }).step('a', () => {
        failing.abort();
        throw new Error('there is no model yet');
      }),
    ).rejects.toMatchObject(interrupted);
    await expect(broken.step('a', () => 'whole')).rejects.toMatchObject(interrupted);
    expect(store.size).toBe(0);
    store.close();
  });

  it('collections are looked for where `data` says', () => {
    expect(() => lab().data('ohsumed')).toThrow(/`data: DIR`/);
    const here = new Lab({ seed: 1, threads: 1, signal, collections: tmpdir() });
    expect(() => here.data('no-such-collection')).toThrow(/not there/);
  });

  it('doubts the file where results that it kept come to nothing', () => {
    const path = file();
    const first = new StepStore(path, { seed: 1 });
    const own = new TypeError('result.toFixed is not a function');
    first.put('a', 'no number');
    expect(first.blamed(own)).toBe(own);
    first.close();
    const again = new StepStore(path, { seed: 1 });
    expect(again.blamed(own)).toMatchObject({
      code: 'checkpoint-invalid',
      message: `${path}: the results that are kept do not fit (result.toFixed is not a function); start over`,
    });
    again.close();
  });
});
