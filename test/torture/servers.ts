/** Requests that were damaged, to a server: an answer of its own, never a failure inside, and others are served. */
import { deepStrictEqual, equal, match, ok } from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import type { Random } from '#listwise/numeric/random.js';
import { serve } from '#listwise/serve/index.js';
import { damaged } from '../mutations.js';
import type { Area } from './area.js';

const NAMES = ['bm25', 'clicks', 'age'];

const body = (random: Random): string => {
  const id = (i: number) => (random.below(3) === 0 ? i : `d${i} é"\\`);
  const value = () => (random.below(6) === 0 ? null : random.gaussian());
  const rows = Array.from({ length: 1 + random.below(6) }, (_, i) => ({
    id: id(i),
    features: Object.fromEntries(NAMES.map(name => [name, value()])),
  }));
  const named = { query: 'shoes', documents: rows, top: 3 };
  const plain = { rows: rows.map(({ features }) => Object.values(features)), ids: rows.map(row => row.id) };
  return JSON.stringify(random.below(2) === 0 ? named : plain);
};

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

function request(random: Random): Buffer {
  const kind = random.below(4);
  const plain = kind === 0 ? HOSTILE[random.below(HOSTILE.length)]! : body(random);
  const sent = kind === 1 || kind === 2 ? damaged(plain, random.below(2 ** 31)) : plain;
  const path = random.below(4) === 0 ? PATHS[random.below(PATHS.length)]! : PATHS[random.below(2)]!;
  const method = random.below(8) === 0 ? ['GET', 'PUT', 'HEAD', 'OPTIONS'][random.below(4)]! : 'POST';
  const head = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', 'Connection: close'];
  const text = `${[...head, `Content-Length: ${Buffer.byteLength(sent)}`].join('\r\n')}\r\n\r\n${sent}`;
  return Buffer.from(kind === 3 ? damaged(text, random.below(2 ** 31)) : text);
}

/** All that is answered; nothing where the connection was closed before. */
function ask(port: number, bytes: Buffer): Promise<Buffer> {
  return new Promise(done => {
    const parts: Buffer[] = [];
    const answered = () => done(Buffer.concat(parts));
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.end(bytes));
    socket
      .on('data', part => parts.push(part))
      .on('error', answered)
      .on('close', answered);
  });
}

/** What is damaged may be more than one request: answers follow each other. */
function checkAnswers(all: Buffer): void {
  for (let rest = all; rest.length > 0; ) {
    const text = rest.toString('latin1');
    const [head, status = ''] = /^HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s.exec(text) ?? [];
    match(status, /^(2|4)\d\d$|^501$/, text.slice(0, 600));
    const length = Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head!)?.[1] ?? Infinity);
    const body = rest.subarray(head!.length, head!.length + length);
    if (body.length === length && status === '200') checkBody(body.toString());
    ok(!/ at .*\.js:\d|internal failure/.test(body.toString()), text.slice(0, 600));
    rest = rest.subarray(head!.length + length);
  }
}

function checkBody(text: string): void {
  if (!text.startsWith('{')) return;
  const { documents = [], scores = [] } = JSON.parse(text) as { documents?: { score?: number }[]; scores?: number[] };
  for (const score of [...documents.map(one => one.score), ...scores]) ok(Number.isFinite(score), text.slice(0, 600));
}

export const servers: readonly Area[] = [
  {
    name: 'requests to a server',
    unit: 'mutation',
    share: 1,
    batch: 400,
    async open(folder, work) {
      const file = join(folder, 'served.json');
      writeFileSync(
        file,
        printModel(new LinearModel({ featureNames: NAMES, weights: [1, 0.1, -1], missing: [0, 5, 0] })),
      );
      const server = await serve({ models: [`main=${file}`], port: 0, watch: 0, timeout: 60_000 });
      const good = async () => {
        const answer = await fetch(`${server.url}/rank`, { method: 'POST', body: '{"rows":[[1,10,0],[3,null,0.5]]}' });
        equal(answer.status, 200);
        const { documents } = (await answer.json()) as { documents: { score: number }[] };
        deepStrictEqual(
          documents.map(({ score }) => score),
          [3, 2],
        );
      };
      try {
        await work(async random => {
          checkAnswers(await ask(Number(new URL(server.url).port), request(random)));
          if (random.below(10) === 0) await good();
          return 1;
        });
      } finally {
        await server.close();
      }
    },
  },
];
