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

function requestOf(body: string, path = '/rank'): string {
  const length = Buffer.byteLength(body);
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`;
}

/** Everything that comes back until the other side closes. */
function exchange(url: string, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.setTimeout(8000, () =>
      socket.destroy(new Error(`no answer to ${JSON.stringify(bytes.toString('latin1'))}`)),
    );
    socket.on('data', chunk => {
      text += chunk.toString();
    });
    socket.on('close', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error),
    );
    socket.end(bytes);
  });
}

/** A damaged request, and a good one beside it. */
export async function sendMutated(url: string, random: Random): Promise<void> {
  const mark = `own-${random.below(2 ** 31)}`;
  const neighbour = `neighbour-${random.below(2 ** 31)}`;
  const body = bodyOf(random, mark);
  const seed = random.below(2 ** 31);
  const whole = requestOf(body, ['/rank', '/score', '/models', '/metrics'][random.below(4)]);
  // Half of them keep the length right, so that the damage comes to the reader of JSON.
  const sent = random.below(2) === 0 ? requestOf(damaged(body, seed)) : damaged(whole, seed);
  const [answer, other] = await Promise.all([
    exchange(url, Buffer.from(sent)),
    exchange(url, Buffer.from(requestOf(bodyOf(random, neighbour)))),
  ]);
  ok(!answer.includes('neighbour-'), `an answer has something of another request: ${answer}`);
  match(other, /^HTTP\/1\.1 200 OK\r\n/);
  ok(other.includes(neighbour) && !other.includes('own-'), `a good request was answered ${other}`);
  for (const [, status, rest] of answer.matchAll(/^HTTP\/1\.1 (\d+) [^\r]*\r\n([\s\S]*?)(?=HTTP\/1\.1|$)/g)) {
    ok(['200', '400', '404', '408', '413', '431', '503'].includes(status!), `answered ${answer} to ${sent}`);
    if (status === '200' || status === '431') continue;
    const code = /"error":\{"code":"([a-z-]+)"/.exec(rest!)?.[1];
    ok(code !== undefined && code !== 'internal', `answered ${answer} to ${sent}`);
  }
}
