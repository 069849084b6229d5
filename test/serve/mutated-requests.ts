/**
 * Requests that were damaged on the way, over sockets: an answer with a coded error, or one that is right for what was
 * sent, or a closed connection; never an internal failure, and never anything of another request.
 */
import { match, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import type { Random } from '#listwise/numeric/random.js';
import { type RunningServer, serve } from '#listwise/serve/index.js';
import { randomEnsemble } from '../models/random-trees.js';
import { damaged } from '../mutations.js';

const names = ['bm25', 'clicks', 'age'];

export async function serverToDamage(folder: string): Promise<{ server: RunningServer; notes: string[] }> {
  const linear = new LinearModel({ featureNames: names, weights: [1, 0.1, -1] });
  const trees = randomEnsemble(3, { features: 3, leaves: [7, 31], grid: 9, skew: 0 }).with({ featureNames: names });
  writeFileSync(join(folder, 'linear.json'), printModel(linear));
  writeFileSync(join(folder, 'trees.json'), printModel(trees));
  const notes: string[] = [];
  const server = await serve({
    models: [folder],
    shares: { linear: 1, trees: 1 },
    port: 0,
    watch: 0,
    timeout: 2000,
    limits: { body: 20_000, documents: 50, features: 20 },
    note: text => notes.push(text),
  });
  return { server, notes };
}

function bodyOf(random: Random, mark: string): string {
  const document = (i: number) => ({
    id: `${mark} ${i}`,
    features: random.below(2) === 0 ? { bm25: i + 0.5, clicks: null, age: -1e-3 } : [i, 2, 3.25],
    category: 'c',
  });
  const documents = Array.from({ length: 1 + random.below(4) }, (_, i) => document(i));
  const head = [
    {},
    { model: 'trees' },
    { key: mark, why: 2 },
    { query: mark, rules: { pin: { [`${mark} 0`]: 1 }, drop: ['x'], diversify: { lambda: 0.5 } } },
  ];
  return JSON.stringify({ ...head[random.below(head.length)], documents });
}

/** What no damage would come to by itself. */
const HOSTILE: readonly string[] = [
  '',
  'null',
  '[]',
  '{"documents":{}}',
  '{"documents":[null,1,"x",[]]}',
  '{"__proto__":{"rows":[[1,2,3]]},"rows":[[1,2,3]]}',
  '{"rows":[[1e999,0,0]]}',
  '{"rows":[[1,2]]}',
  '{"rows":[[1,2,3]],"ids":["a","a"]}',
  '{"rows":[["1",true,{}]]}',
  `{"rows":${'['.repeat(50_000)}`,
  `{"documents":[{"id":"a","features":${'{"a":'.repeat(20_000)}`,
  `{"rows":[${'[1,2,3],'.repeat(3000)}[1,2,3]]}`,
  '{"documents":[{"id":"\\ud800","features":{"constructor":1,"__proto__":2,"toString":3}}]}',
  '{"rows":[[1,2,3]],"model":"../../etc/passwd"}',
  '{"rows":[[1,2,3]],"top":-1,"offset":1e300}',
];

const PATHS = [
  '/rank',
  '/score',
  '/rank?model=main',
  '/health',
  '/ready',
  '/metrics',
  '/models',
  '/openapi.json',
  '/x',
];

function requestOf(body: string, path = '/rank', method = 'POST'): string {
  const length = Buffer.byteLength(body);
  return `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`;
}

function mutatedRequest(random: Random, body: string): string {
  const seed = random.below(2 ** 31);
  const path = PATHS[random.below(random.below(4) === 0 ? PATHS.length : 2)]!;
  const method = random.below(8) === 0 ? ['GET', 'PUT', 'HEAD', 'OPTIONS'][random.below(4)]! : 'POST';
  const kind = random.below(4);
  if (kind === 0) return requestOf(HOSTILE[random.below(HOSTILE.length)]!, path, method);
  // The length stays right, so that the damage comes to the reader of JSON.
  if (kind < 3) return requestOf(damaged(body, seed), path, method);
  return damaged(requestOf(body, path, method), seed);
}

/** Everything that comes back until the other side closes. */
function exchange(url: string, bytes: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    const parts: Buffer[] = [];
    const answered = () => resolve(Buffer.concat(parts));
    socket.setTimeout(60_000, () =>
      socket.destroy(new Error(`no answer to ${JSON.stringify(bytes.toString('latin1'))}`)),
    );
    socket.on('data', part => parts.push(part));
    socket.on('close', answered);
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? answered() : reject(error),
    );
    socket.end(bytes);
  });
}

/** What is damaged may be more than one request: answers follow each other. */
function checkAnswers(all: Buffer): void {
  for (let rest = all; rest.length > 0; ) {
    const text = rest.toString('latin1');
    const [head, status = ''] = /^HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s.exec(text) ?? [];
    match(status, /^(2|4)\d\d$|^50[13]$/, text.slice(0, 600));
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head!)?.[1] ?? Infinity);
    const body = rest.subarray(head!.length, head!.length + length);
    if (body.length === length) checkBody(body.toString(), status);
    rest = rest.subarray(head!.length + length);
  }
}

function checkBody(text: string, status: string): void {
  if (status === '200') {
    if (!text.startsWith('{')) return;
    const { documents = [], scores = [] } = JSON.parse(text) as { documents?: { score?: number }[]; scores?: number[] };
    for (const score of [...documents.map(one => one.score), ...scores]) ok(Number.isFinite(score), text.slice(0, 600));
  } else if (text !== '') {
    const code = /"error":\{"code":"([a-z-]+)"/.exec(text)?.[1];
    ok(code !== undefined && code !== 'internal', `answered ${status} ${text}`);
    ok(!/ at .*\.js:\d/.test(text), `a stack: ${text}`);
  }
}

/** A machine that is busy may take a request too late for the server: then it is sent again. */
async function answeredInTime(url: string, bytes: Buffer): Promise<Buffer> {
  for (;;) {
    const answer = await exchange(url, bytes);
    if (!answer.includes('HTTP/1.1 408 ')) return answer;
  }
}

/** A damaged request, and a good one beside it. */
export async function sendMutated(url: string, random: Random): Promise<void> {
  const mark = `own-${random.below(2 ** 31)}`;
  const neighbour = `neighbour-${random.below(2 ** 31)}`;
  const [answer, beside] = await Promise.all([
    exchange(url, Buffer.from(mutatedRequest(random, bodyOf(random, mark)))),
    answeredInTime(url, Buffer.from(requestOf(bodyOf(random, neighbour)))),
  ]);
  ok(!answer.includes('neighbour-'), `an answer has something of another request: ${answer}`);
  checkAnswers(answer);
  const other = beside.toString();
  match(other, /^HTTP\/1\.1 200 OK\r\n/);
  ok(other.includes(neighbour) && !other.includes('own-'), `a good request was answered ${other}`);
}
