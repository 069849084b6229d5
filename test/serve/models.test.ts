/** Models of a server: formats, versions, new files. */

import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { formats } from '#listwise/interop/all.js';
import { exportModel } from '#listwise/interop/convert.js';
import { openModel } from '#listwise/interop/open-model.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { NetModel } from '#listwise/models/net/net.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { run } from '../cli/run.js';
import { randomEnsemble } from '../models/random-trees.js';
import { documents, folder, get, linear, post, save, up } from './served.js';

describe('models', () => {
  const trees = randomEnsemble(5, { features: 4, leaves: [8, 31], grid: 40, skew: 0.2, zeroMissing: 0.2 });
  const parameters = Array.from({ length: 4 * 3 + 3 + 3 + 1 }, (_, i) => Math.sin(7 * i));
  const recorded = fileURLToPath(new URL('../interop/recorded/', import.meta.url));
  const native: Record<string, Ranker> = {
    trees,
    trees32: randomEnsemble(6, { features: 4, leaves: [8, 31], grid: 40, skew: 0.2, sums: 'float32' }),
    linear: new LinearModel({ featureNames: trees.featureNames, weights: [0.3, -1.7, 2.1, 0.01], bias: 0.7 }),
    net: new NetModel({ featureNames: trees.featureNames, hidden: [3], activation: 'tanh', parameters }),
  };
  const foreign = readdirSync(recorded).filter(name => /^(lightgbm|xgboost)/.test(name));

  /** Files of every format that can be read, by its name and the kind of model in it. */
  function writeAll(place: string): string[] {
    for (const [name, model] of Object.entries(native)) writeFileSync(join(place, `${name}.json`), printModel(model));
    for (const name of foreign) copyFileSync(join(recorded, name), join(place, name));
    const written: string[] = [];
    for (const { name: to, reads = [], writes = {} } of formats) {
      for (const kind of ['trees', 'linear', 'net'] as const) {
        if (writes[kind] === undefined || !reads.includes(kind)) continue;
        const [file] = exportModel(native[kind]!, { to }).files;
        writeFileSync(join(place, `${to}-${kind}.model`), file!.content);
        written.push(`${to}-${kind}.model`);
      }
    }
    return written;
  }

  it('score as `listwise score` does, to the bit, in every format', async () => {
    const place = join(folder, 'formats');
    mkdirSync(place);
    const written = writeAll(place);
    expect(written).toContain('catboost-trees.model');
    for (const name of [...written, ...foreign, ...Object.keys(native).map(kind => `${kind}.json`)]) {
      const file = join(place, name);
      const model = await openModel(file);
      const width = model.featureNames.length;
      const rows = Array.from({ length: 40 }, (_, i) =>
        Array.from({ length: width }, (_, f) => (i % 7 === f ? null : Math.fround(Math.sin(i * 31 + f) * (f + 1)))),
      );
      const data = join(folder, 'data.jsonl');
      writeFileSync(
        data,
        rows
          .map((row, i) =>
            JSON.stringify({
              qid: 'q',
              docid: `d${i}`,
              label: 0,
              ...Object.fromEntries(row.map((value, f) => [model.featureNames[f]!, value])),
            }),
          )
          .join('\n'),
      );
      const { stdout, code, stderr } = await run(['score', file, data]);
      expect(code, stderr).toBe(0);
      const server = await up({ models: [`m=${file}`] });
      const expected = stdout.trim().split('\n').map(Number);
      const named = rows.map(row => ({ features: Object.fromEntries(row.map((x, f) => [model.featureNames[f]!, x])) }));
      for (const body of [{ rows }, { documents: named }]) {
        const { json } = await post(server, body, '/score');
        expect(
          json.documents?.map(({ score }) => score),
          name,
        ).toEqual(expected);
      }
    }
  });

  it('are loaded again when their files change; a bad file keeps the old one', async () => {
    const notes: string[] = [];
    const file = save(linear(1));
    const server = await up({ models: [`main=${file}`], watch: 20, note: text => notes.push(text) });
    const score = async () => (await post(server, { documents })).json.documents[0]?.score;
    expect(await score()).toBe(3);
    writeFileSync(file, printModel(linear(3)));
    for (let i = 0; i < 100 && (await score()) !== 9; i++) await sleep(20);
    expect(await score()).toBe(9);
    writeFileSync(file, '{"format": "listwise/model/2", "half');
    for (let i = 0; i < 100 && notes.length < 2; i++) await sleep(20);
    expect(notes[1]).toContain('main was not loaded, the old one is served on');
    expect(await score()).toBe(9);
    expect(await get(server, '/metrics')).toContain('listwise_reloads_total{model="main",result="model-invalid"} 1');
    writeFileSync(file, printModel(linear(2)));
    expect((await server.reload()).failed).toEqual([]);
    expect(await score()).toBe(6);
  });

  it('that are put back as they were after a bad file, or after none, are said to be whole again', async () => {
    const notes: string[] = [];
    const file = save(linear(1));
    const server = await up({ models: [`main=${file}`], watch: 20, note: text => notes.push(text) });
    const said = (n: number) => vi.waitFor(() => expect(notes).toHaveLength(n), { timeout: 5000, interval: 20 });
    const whole = 'the file of main is whole again: it holds the model that is served';
    writeFileSync(file, 'no model');
    await said(1);
    await sleep(100); // looked at again, and as bad as it was
    writeFileSync(file, printModel(linear(1)));
    await said(2);
    renameSync(file, `${file}.away`);
    await said(3);
    renameSync(`${file}.away`, file);
    await said(4);
    const bad = expect.stringContaining('main was not loaded');
    expect(notes).toEqual([bad, whole, bad, whole]);
    expect(await server.reload()).toEqual({ loaded: [], restored: [], failed: [] });
    expect(await get(server, '/metrics')).toContain('listwise_reloads_total{model="main",result="restored"} 2');
  });

  it('that take over let threads end what they were asked for', async () => {
    const file = save(randomEnsemble(3, { features: 3, leaves: [31, 64], grid: 40, skew: 0.2 }));
    const server = await up({ models: [`trees=${file}`], threads: 2 });
    const rows = Array.from({ length: 9000 }, (_, i) => [Math.sin(i), Math.cos(3 * i), i % 17]);
    for (let k = 0; k < 3; k++) {
      const asked = [post(server, { rows }), post(server, { rows, why: 2 }), post(server, { rows, why: 3 })];
      writeFileSync(file, printModel(randomEnsemble(4 + k, { features: 3, leaves: [31, 64], grid: 40, skew: 0.2 })));
      const { failed } = await server.reload();
      expect(failed).toEqual([]);
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });

  it('in a folder are known by their own names: copies are no versions, and keep nobody from being served', async () => {
    const place = join(folder, 'copies');
    mkdirSync(place);
    const put = (name: string, weight: number) => writeFileSync(join(place, name), printModel(linear(weight)));
    put('ranker.json', 1);
    const notes: string[] = [];
    const server = await up({ models: [place], note: text => notes.push(text) });
    const score = async () => (await post(server, { documents })).json.documents[0]?.score;
    expect(await score()).toBe(3);
    put('a b.json', 5);
    put('ranker@3.json.bak', 7);
    put('ranker@2.json', 2);
    await server.reload();
    expect(await score()).toBe(6);
    expect(notes.some(note => note.includes('is no name for a model'))).toBe(true);
  });

  it('of a name are the newest version that there is; one that cannot be read is none', async () => {
    const place = join(folder, 'versions');
    mkdirSync(place);
    const put = (name: string, text: string) => writeFileSync(join(place, name), text);
    put('ranker@9.json', printModel(linear(9)));
    put('ranker@10.json', printModel(linear(10)));
    const notes: string[] = [];
    const server = await up({ models: [place], note: text => notes.push(text) });
    const versionOf = async (body: object) => (await post(server, { ...body, documents })).json.version;
    expect([await versionOf({}), await versionOf({ model: 'ranker' })]).toEqual(['10', '10']);
    put('ranker@95.json', '{"format": "listwise/model/2", "half');
    await server.reload();
    expect(notes).toEqual([expect.stringMatching(/^ranker@95 was not loaded: /)]);
    expect([await versionOf({}), await versionOf({ model: 'ranker' })]).toEqual(['10', '10']);
    const absent = await post(server, { model: 'ranker@95', documents });
    expect([absent.status, absent.json.error.message]).toEqual([404, expect.not.stringContaining('"ranker@95"?')]);
    put('ranker@95.json', printModel(linear(95)));
    await server.reload();
    expect([await versionOf({}), await versionOf({ model: 'ranker' }), await versionOf({ model: 'ranker@9' })]).toEqual(
      ['95', '95', '9'],
    );
  });

  it('say once that a file is gone, and serve on', async () => {
    const notes: string[] = [];
    const file = save(linear(1));
    const server = await up({ models: [`main=${file}`], watch: 10, note: text => notes.push(text) });
    rmSync(file);
    for (let i = 0; i < 100 && notes.length === 0; i++) await sleep(20);
    await sleep(200);
    expect(notes).toEqual([expect.stringContaining('main was not loaded, the old one is served on')]);
    expect((await post(server, { documents })).status).toBe(200);
  });

  it('come from the given folder only, versions by name', async () => {
    const place = join(folder, 'some');
    mkdirSync(place);
    writeFileSync(join(place, 'a@1.json'), printModel(linear(1)));
    writeFileSync(join(place, 'a@2.json'), printModel(linear(2)));
    writeFileSync(join(place, 'notes.txt'), 'no model');
    const server = await up({ models: [place] });
    expect(server.models).toEqual(['a@1', 'a@2']);
    for (const model of ['../model0', '/etc/passwd', 'notes', '__proto__']) {
      expect((await post(server, { model, documents })).status).toBe(404);
    }
    await expect(up({ models: [join(folder, 'absent.json')] })).rejects.toMatchObject({ code: 'file-not-found' });
    await expect(up({ models: [place], shares: { z: 1 } })).rejects.toMatchObject({ code: 'usage' });
  });
});
