/** The server as a client sees it. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { formats } from '#listwise/interop/all.js';
import { exportModel } from '#listwise/interop/convert.js';
import { openModel } from '#listwise/interop/open-model.js';
import { createRanker } from '#listwise/models/create-ranker.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { NetModel } from '#listwise/models/net/net.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { type RunningServer, type ServeOptions, serve } from '#listwise/serve/index.js';
import { run, start } from '../cli/run.js';
import { randomEnsemble } from '../models/random-trees.js';
import { temporaryDirectory } from '../temporary.js';

const folder = temporaryDirectory();
const names = ['bm25', 'clicks', 'age'];
const linear = (bm25: number) => new LinearModel({ featureNames: names, weights: [bm25, 0.1, -1], missing: [0, 5, 0] });
let files = 0;

function save(model: Ranker, name = `model${files++}.json`): string {
  const file = join(folder, name);
  writeFileSync(file, printModel(model));
  return file;
}

const PATIENCE = { timeout: 5000, interval: 20 };
const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

async function up(options: Partial<ServeOptions> = {}): Promise<RunningServer> {
  const server = await serve({ models: [`main=${save(linear(1))}`], port: 0, watch: 0, ...options });
  running.push(server);
  return server;
}

interface Ranked {
  model: string;
  version?: string;
  late?: boolean;
  request?: string;
  documents: { id: string | number; score: number; rank: number; why?: { feature: string; adds: number }[] }[];
}

async function post(server: RunningServer, body: unknown, path = '/rank', headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: text, headers });
  return {
    status: response.status,
    json: (await response.json()) as Ranked & { error: { code: string; message: string } },
  };
}

const get = async (server: RunningServer, path: string) => (await fetch(`${server.url}${path}`)).text();
const documents = [
  { id: 'a', features: { bm25: 1, clicks: 10, age: 0 } },
  { id: 'b', features: { bm25: 3, age: 0.5 } },
  { id: 'c', features: { bm25: 2, clicks: null, age: 0.25 } },
];

describe('answers', () => {
  it('ranks documents by name and rows, and scores them as they came', async () => {
    const server = await up();
    const { status, json } = await post(server, { documents });
    expect(status).toBe(200);
    expect(json.model).toBe('main');
    expect(json.documents).toEqual([
      { id: 'b', score: 3, rank: 1 },
      { id: 'c', score: 2.25, rank: 2 },
      { id: 'a', score: 2, rank: 3 },
    ]);
    const rows = {
      rows: [
        [1, 10, 0],
        [3, null, 0.5],
      ],
    };
    expect((await post(server, rows)).json.documents).toEqual([
      { id: 1, score: 3, rank: 1 },
      { id: 0, score: 2, rank: 2 },
    ]);
    expect((await post(server, { documents }, '/score')).json.documents).toEqual([
      { id: 'a', score: 2 },
      { id: 'b', score: 3 },
      { id: 'c', score: 2.25 },
    ]);
    expect((await post(server, { documents: [] })).json.documents).toEqual([]);
  });

  it('says why', async () => {
    const server = await up();
    const { json } = await post(server, { documents, why: 1 });
    expect(json.documents[0]!.why).toEqual([{ feature: 'bm25', value: 3, adds: 1 }]);
    const all = (await post(server, { documents, why: true })).json.documents;
    const mean = (3 + 2.25 + 2) / 3;
    for (const { score, why } of all) expect(why!.reduce((sum, { adds }) => sum + adds, mean)).toBeCloseTo(score, 12);
  });

  it('applies pins, filters and marginal relevance after the model', async () => {
    const server = await up();
    const order = async (rules: unknown) =>
      (
        await post(server, { documents: documents.map((d, i) => ({ ...d, category: i === 0 ? 'x' : 'y' })), rules })
      ).json.documents.map(({ id }) => id);
    expect(await order({ pin: { a: 1 } })).toEqual(['a', 'b', 'c']);
    expect(await order({ pin: { b: 9 } })).toEqual(['c', 'a', 'b']);
    expect(await order({ drop: ['b'] })).toEqual(['c', 'a']);
    expect(await order({ diversify: { lambda: 0.5 } })).toEqual(['b', 'a', 'c']);
    const similarity = [
      [1, 1, 0],
      [1, 1, 0],
      [0, 0, 1],
    ];
    expect(await order({ diversify: { lambda: 0.1, similarity }, drop: [] })).toEqual(['b', 'c', 'a']);
    expect(await order({ diversify: { lambda: 1 } })).toEqual(['b', 'c', 'a']);
    expect((await post(server, { documents, rules: { pin: { a: 0 } } })).json.error.code).toBe('request-invalid');
    expect((await post(server, { documents, rules: {} }, '/score')).json.error.message).toContain(
      '"rules" are for /rank',
    );
    expect((await post(server, { documents, rules: { diversify: { similarity: [[1]] } } })).status).toBe(400);
  });

  it('tells of itself', async () => {
    const server = await up({ shadows: [`next=${save(linear(2))}`] });
    expect(JSON.parse(await get(server, '/health'))).toEqual({ status: 'ok' });
    expect(JSON.parse(await get(server, '/ready'))).toEqual({ status: 'ready' });
    const { models } = JSON.parse(await get(server, '/models')) as { models: object[] };
    expect(models).toMatchObject([
      { model: 'main', role: 'served', share: 1, kind: 'linear', features: names },
      { model: 'next', role: 'shadow', share: 0 },
    ]);
    const { paths } = JSON.parse(await get(server, '/openapi.json')) as { paths: object };
    expect(Object.keys(paths)).toEqual([
      '/rank',
      '/score',
      '/models',
      '/health',
      '/ready',
      '/metrics',
      '/openapi.json',
    ]);
    await post(server, { documents });
    await sleep(20);
    const metrics = await get(server, '/metrics');
    expect(metrics).toContain('listwise_requests_total{route="/rank",status="200"} 1');
    expect(metrics).toContain('listwise_documents_total{model="main"} 3');
    const same = 'listwise_shadow_requests_total{model="next",served="main",result="same first"}';
    expect(metrics).toContain(`${same} 1`);
    // What the client is shown, by rules or as given, is nothing that the shadow would have to agree with.
    await post(server, { documents }, '/score');
    await post(server, { documents, rules: { pin: { c: 1 }, drop: ['a'] } });
    await vi.waitFor(async () => expect(await get(server, '/metrics')).toContain(`${same} 3`), PATIENCE);
    for (const line of metrics.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) .+|\w+(\{.*\})? [-+.e\dInf]+)$/);
  });

  it('hands out requests by shares, the same model for the same key', async () => {
    const models = [`a=${save(linear(1))}`, `b@1=${save(linear(5))}`, `b@2=${save(linear(2))}`];
    const server = await up({ models, shares: { a: 80, b: 20 } });
    const found = new Map<string, number>();
    for (let i = 0; i < 300; i++) {
      const body = { key: `user ${i}`, documents: documents.slice(0, 1) };
      const { model } = (await post(server, body)).json;
      if (i < 20) expect((await post(server, body)).json.model).toBe(model);
      found.set(model, (found.get(model) ?? 0) + 1);
    }
    expect(found.get('b')! / 300).toBeGreaterThan(0.12);
    expect(found.get('b')! / 300).toBeLessThan(0.28);
    const score = async (model: string) => (await post(server, { model, documents })).json.documents[0]?.score;
    expect([await score('b'), await score('b@1'), await score('b@2')]).toEqual([6, 15, 6].map(x => x - 0.5 + 0.5));
    // the key may stand behind the documents
    const behind = JSON.stringify({ documents, key: 'user 1' });
    expect((await post(server, behind)).json.model).toBe((await post(server, { key: 'user 1', documents })).json.model);
  });

  it('keeps the given order where the model would be late', async () => {
    const server = await up({ deadline: 0 });
    const { json } = await post(server, { documents });
    expect(json.late).toBe(true);
    expect(json.documents.map(({ id, score }) => [id, score])).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
    ]);
    expect(await get(server, '/metrics')).toContain('listwise_late_total{model="main"} 1');
    const pinned = (await post(server, { documents, rules: { pin: { c: 1 } } })).json.documents;
    expect(pinned.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
    const patient = await up({ deadline: 10_000 });
    expect((await post(patient, { documents })).json.late).toBeUndefined();
  });

  it('says why before the deadline, or not; long lists on threads; never too much', async () => {
    const model = randomEnsemble(3, { features: 3, leaves: [8, 31, 64], grid: 40, skew: 0.2 });
    const file = save(model);
    const server = await up({ models: [`trees=${file}`], threads: 2 });
    const rows = Array.from({ length: 6000 }, (_, i) => [Math.sin(i), Math.cos(3 * i), i % 17]);
    const { json } = await post(server, { rows, why: true }, '/score');
    const reasons = createRanker(model).why(Float32Array.from(rows.flat()), 6000);
    expect(json.documents.map(({ why }) => why)).toEqual(reasons);
    const many = Array.from({ length: 9000 }, () => Array<number>(30).fill(1));
    const wide = new LinearModel({
      featureNames: Array.from({ length: 30 }, (_, f) => `f${f}`),
      weights: Array(30).fill(1),
    });
    const other = await up({ models: [`wide=${save(wide)}`] });
    const refused = await post(other, { rows: many, why: true });
    expect([refused.status, refused.json.error.message]).toEqual([413, expect.stringContaining('"why": 22')]);
    expect((await post(other, { rows: many, why: 22 })).status).toBe(200);
  });

  it('scores long lists on threads, the same to the bit', async () => {
    const shape = { features: 3, leaves: [8, 31, 64], grid: 40, skew: 0.2 };
    const model = randomEnsemble(3, shape);
    const server = await up({ models: [`trees=${save(model)}`], threads: 2 });
    const rows = Array.from({ length: 6000 }, (_, i) => [Math.sin(i), Math.cos(3 * i), i % 17]);
    const expected = new Float64Array(6000);
    model.scoreRows(Float32Array.from(rows.flat()), 6000, expected);
    const [long, short] = await Promise.all([
      post(server, { rows }, '/score'),
      post(server, { rows: rows.slice(0, 9) }, '/score'),
    ]);
    expect(long.json.documents.map(({ score }) => score)).toEqual([...expected]);
    expect(short.json.documents.map(({ score }) => score)).toEqual([...expected.subarray(0, 9)]);
  });
});

describe('refusals', () => {
  it.each([
    ['no JSON', '{"documents": [', 400, 'request-invalid'],
    ['no object', '[]', 400, 'request-invalid'],
    ['no documents', {}, 400, 'request-invalid'],
    ['documents and rows', { documents: [], rows: [] }, 400, 'request-invalid'],
    ['an id beyond all numbers', '{"documents": [{"id": 1e400, "features": {}}]}', 400, 'request-invalid'],
    ['a label beyond all numbers', '{"documents": [{"label": 1e400, "features": {}}]}', 400, 'request-invalid'],
    ['brackets within brackets', `{"rows": [[1,2,3]], "query": ${'['.repeat(100_000)}`, 413, 'request-too-large'],
    [
      'brackets beside brackets',
      `{"rows": [[1,2,3]], "query": [${'[],'.repeat(200_000)}[]]}`,
      413,
      'request-too-large',
    ],
    ['a key that is not known', { documents: [], modle: 'a' }, 400, 'request-invalid'],
    ['a feature that is not known', { documents: [{ features: { bm52: 1 } }] }, 400, 'feature-mismatch'],
    ['a value that is no number', { documents: [{ features: { bm25: 'x' } }] }, 400, 'feature-value-invalid'],
    ['too large a number', '{"rows":[[1e39,0,0]]}', 400, 'feature-value-invalid'],
    ['a short row', { rows: [[1, 2]] }, 400, 'feature-mismatch'],
    ['a document without features', { documents: [{ id: 'a' }] }, 400, 'value-invalid'],
    ['a model that is not there', { model: 'mian', documents }, 404, 'model-unknown'],
    ['too many documents', { rows: Array(6).fill([0, 0, 0]) }, 413, 'request-too-large'],
    [
      'too many features',
      { documents: [{ features: Object.fromEntries('abcdefgh'.split('').map(x => [x, 1])) }] },
      413,
      'request-too-large',
    ],
    ['too large a body', `{"documents":[]${' '.repeat(2000)}}`, 413, 'request-too-large'],
  ])('%s', async (_, body, status, code) => {
    const server = await up({ limits: { documents: 5, features: 7, body: 2000 } });
    const { status: found, json } = await post(server, body);
    expect([found, json.error.code]).toEqual([status, code]);
    expect(json.error.message).not.toContain(folder);
  });

  it('a feature that is not known, without advice that a client cannot take', async () => {
    const { json } = await post(await up(), { documents: [{ features: { bm52: 1 } }] });
    expect(json.error.message).toBe(
      'the documents have "bm52", which the model does not know; it knows "bm25", "clicks", "age". Leave out what is too much',
    );
  });

  it('what has no address, and what is no HTTP', async () => {
    const server = await up();
    expect((await post(server, '{}', '/nothing')).json.error.code).toBe('route-unknown');
    expect((await fetch(`${server.url}/rank`)).status).toBe(404);
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.write('NONSENSE\r\n\r\n');
    expect(String((await once(socket, 'data'))[0])).toContain('"code":"request-invalid"');
    socket.destroy();
  });

  it('requests without the token; anybody may ask whether it is up', async () => {
    const server = await up({ token: 'secret-token' });
    expect((await post(server, { documents })).status).toBe(401);
    expect((await post(server, { documents }, '/rank', { Authorization: 'Bearer secret-toke' })).status).toBe(401);
    expect((await post(server, { documents }, '/rank', { Authorization: 'Bearer secret-token' })).status).toBe(200);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    expect((await post(server, { documents }, '/rank', { Authorization: 'bearer secret-token' })).status).toBe(200);
    await expect(up({ token: 'short' })).rejects.toMatchObject({ code: 'option-invalid' });
    await expect(up({ port: 99_999 })).rejects.toMatchObject({ code: 'option-invalid' });
    await expect(up({ watch: 1e12 })).rejects.toMatchObject({ code: 'option-invalid' });
  });

  it('requests that take too long, or are too many', async () => {
    const server = await up({ timeout: 300, requests: 1 });
    const slow = httpRequest(`${server.url}/rank`, { method: 'POST', headers: { 'Content-Length': 10 } });
    slow.on('error', () => {});
    slow.write('{');
    await sleep(50);
    expect((await post(server, { documents })).json.error.code).toBe('server-busy');
    const [response] = (await once(slow, 'response')) as [{ statusCode: number }];
    expect(response.statusCode).toBe(408);
  });

  it('listens to this machine only, and says where a port is taken', async () => {
    const server = await up();
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
    await expect(up({ port: Number(new URL(server.url).port) })).rejects.toMatchObject({ code: 'option-invalid' });
  });
});

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

describe('the command', () => {
  it('says where anybody may send requests', async () => {
    for (const [host, said] of [
      ['0.0.0.0', true],
      ['127.0.0.1', false],
    ] as const) {
      const child = start(['serve', save(linear(1)), '--port', '0', '--host', host]);
      let stderr = '';
      child.stderr.on('data', text => {
        stderr += text;
      });
      await once(child.stdout, 'data');
      child.kill('SIGTERM');
      await once(child, 'close');
      expect(stderr.includes('whoever reaches this address may send requests')).toBe(said);
    }
  });

  it('serves, loads again at SIGHUP, and answers what is there before it ends', async () => {
    const file = save(linear(1));
    const child = start(['serve', `main=${file}`, '--port', '0', '--watch', '0', '--json']);
    const { url } = JSON.parse(String((await once(child.stdout, 'data'))[0])) as { url: string };
    const score = async () => {
      const response = await fetch(`${url}/rank`, { method: 'POST', body: JSON.stringify({ documents }) });
      return ((await response.json()) as Ranked).documents[0]!.score;
    };
    expect(await score()).toBe(3);
    writeFileSync(file, printModel(linear(4)));
    child.kill('SIGHUP');
    for (let i = 0; i < 100 && (await score()) !== 12; i++) await sleep(20);
    expect(await score()).toBe(12);
    const body = JSON.stringify({ documents });
    const pending = httpRequest(`${url}/rank`, { method: 'POST', headers: { 'Content-Length': body.length } });
    pending.write(body.slice(0, 10));
    await sleep(100);
    child.kill('SIGTERM');
    await sleep(200);
    pending.end(body.slice(10));
    const [response] = (await once(pending, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(200);
    expect((await once(child, 'exit'))[0]).toBe(143);
  });
});
