/** What a server refuses, and how it says so. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { documents, folder, post, up } from './served.js';

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
