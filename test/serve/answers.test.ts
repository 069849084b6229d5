/** What a server answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { createRanker } from '#listwise/models/create-ranker.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { randomEnsemble } from '../models/random-trees.js';
import { documents, get, linear, names, PATIENCE, post, save, up } from './served.js';

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
