/**
 * The studio's HTTP server: on this machine alone, for whoever has the token in its address. What there is to see is in
 * views.ts; the page that shows it is in app/.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync } from 'node:zlib';
import { ListwiseError } from '../errors.js';
import { errorAnswer } from '../serve/answers.js';
import { isSecret } from '../serve/secret.js';
import { markIn } from './marks.js';
import * as views from './views.js';
import { type Given, Workspace } from './workspace.js';

/** What the studio shows, and where. */
export interface StudioOptions extends Given {
  /** Default 0: one that is free. */
  readonly port?: number | undefined;
  /** Milliseconds between two looks at the run folders (default 1000). */
  readonly every?: number | undefined;
}

/** A studio that is up. */
export interface Studio {
  /** With the token: whoever has it may look. */
  readonly url: string;
  close(): Promise<void>;
}

const COOKIE = 'listwise';
const MOST_BODY = 1 << 20;
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self'",
  'img-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>listwise studio</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/viewer.css">
<link rel="stylesheet" href="/app.css">
</head>
<body>
<header><h1><a href="#/runs">listwise studio</a></h1></header>
<main></main>
<script src="/viewer.js"></script>
<script src="/app.js"></script>
</body>
</html>
`;

/** Opens a studio over run folders, data and models, on this machine alone. */
export async function openStudio(options: StudioOptions): Promise<Studio> {
  const workspace = await Workspace.open(options);
  // Read once before anybody looks: from then on only what has changed is.
  await workspace.runs();
  const service = new Service(workspace, options.every ?? 1000);
  await service.listen(options.port ?? 0);
  return service;
}

type Handler = (asked: views.Asked, body: unknown) => Promise<unknown>;

class Service implements Studio {
  readonly #token = randomBytes(24).toString('base64url');
  readonly #workspace: Workspace;
  readonly #get: ReadonlyMap<string, Handler>;
  readonly #post: ReadonlyMap<string, Handler>;
  readonly #server = createServer((request, response) => void this.#take(request, response));
  readonly #watchers = new Set<ServerResponse>();
  readonly #timer: NodeJS.Timeout;
  #seen = '';

  constructor(workspace: Workspace, every: number) {
    this.#workspace = workspace;
    this.#get = handlers({
      overview: () => views.overview(workspace),
      run: asked => views.runView(workspace, asked),
      compare: asked => views.compareView(workspace, asked),
      data: asked => views.dataView(workspace, asked),
      queries: asked => views.queriesView(workspace, asked),
      query: asked => views.queryView(workspace, asked),
      documents: asked => views.documentsView(workspace, asked),
    });
    this.#post = handlers({
      lambdas: (asked, body) => views.lambdasView(workspace, asked, body),
      mark: async ({ ids }, body) => {
        const mark = markIn(body);
        if (mark === undefined) throw new ListwiseError('request-invalid', 'give a star and a note');
        await workspace.mark(ids.join('/'), mark);
        return {};
      },
    });
    this.#timer = setInterval(() => void this.#look(), every).unref();
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening').catch(error => {
      throw new ListwiseError('option-invalid', `cannot listen on port ${port}: ${(error as Error).message}`);
    });
  }

  get #host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.#host}/?token=${this.#token}`;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const watcher of this.#watchers) watcher.end();
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Tells whoever watches that a run has moved on. */
  async #look(): Promise<void> {
    if (this.#watchers.size === 0) return;
    const runs = await this.#workspace.runs().catch(() => []);
    const logs = await Promise.all(
      runs
        .filter(({ run }) => run.state === 'running')
        .map(async ({ id, run }) => `${id} ${(await run.readLog()).length}`),
    ).catch(() => []);
    const now = [...runs.map(({ id, run }) => `${id} ${run.state}`), ...logs].join('\n');
    if (now === this.#seen) return;
    this.#seen = now;
    for (const watcher of this.#watchers) watcher.write('data: changed\n\n');
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#answer(request, response);
    } catch (error) {
      if (response.headersSent) return void response.destroy();
      const { status, text } = errorAnswer(error);
      this.#send(response, status, text);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method = '' } = request;
    const url = new URL(request.url ?? '/', `http://${this.#host}`);
    // A page from elsewhere that has its name point here has another host, or another origin.
    if (headers.host !== this.#host || (headers.origin !== undefined && headers.origin !== `http://${this.#host}`))
      return this.#send(response, 403, 'not from here', 'text/plain');
    const given = url.searchParams.get('token');
    if (given !== null && isSecret(given, this.#token)) {
      response.setHeader('Set-Cookie', `${COOKIE}=${this.#token}; HttpOnly; SameSite=Strict; Path=/`);
      response.setHeader('Location', '/');
      return this.#send(response, 303, '', 'text/plain');
    }
    if (!isSecret(cookieOf(headers.cookie), this.#token))
      return this.#send(response, 401, 'open the address that the command printed', 'text/plain');
    const [first = '', name = '', ...ids] = url.pathname.split('/').slice(1).map(decoded);
    if (method === 'GET' && first === '') return this.#send(response, 200, PAGE, 'text/html; charset=utf-8');
    const ours = method === 'GET' ? fileNamed(first) : undefined;
    if (ours !== undefined) return this.#send(response, 200, ours, typeOf(first));
    if (method === 'GET' && first === 'events') return this.#watch(response);
    if (method === 'GET' && first === 'report') return this.#report(response, [name, ...ids].join('/'));
    const handler = first !== 'api' ? undefined : (method === 'POST' ? this.#post : this.#get).get(name);
    if (handler === undefined || !['GET', 'POST'].includes(method))
      throw new ListwiseError('route-unknown', 'there is nothing at this address');
    const body = method === 'POST' ? await bodyOf(request) : undefined;
    this.#send(response, 200, JSON.stringify(await handler({ ids, query: url.searchParams }, body)));
  }

  #send(response: ServerResponse, status: number, text: string, type = 'application/json'): void {
    response.writeHead(status, {
      'Content-Type': type,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': POLICY,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(text);
  }

  #watch(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(': here\n\n');
    this.#watchers.add(response);
    response.on('close', () => this.#watchers.delete(response));
  }

  /** A report is a file of whoever made the folder: it runs in a sandbox of its own, which cannot reach the studio. */
  async #report(response: ServerResponse, id: string): Promise<void> {
    const content = await this.#workspace.fileOf(await this.#workspace.run(id), 'report');
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': 'sandbox allow-scripts allow-downloads',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.end(content);
  }
}

const packaged = (path: string) => readFileSync(new URL(path, import.meta.url));

/** By name; a map has no names that nobody put there. */
const handlers = (named: Readonly<Record<string, Handler>>): ReadonlyMap<string, Handler> =>
  new Map(Object.entries(named));

const files: ReadonlyMap<string, () => string> = new Map(
  Object.entries({
    'viewer.js': () => brotliDecompressSync(packaged('../report/viewer.js.br')).toString(),
    'viewer.css': () => packaged('../report/viewer.css').toString(),
    'app.js': () => packaged('./app.js').toString(),
    'app.css': () => packaged('./app.css').toString(),
  }),
);

const read = new Map<string, string>();

/** Read, and unpacked, when it is first asked for. */
function fileNamed(name: string): string | undefined {
  const known = read.get(name) ?? files.get(name)?.();
  if (known !== undefined) read.set(name, known);
  return known;
}

function typeOf(name: string): string {
  return name.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8';
}

function cookieOf(header = ''): string {
  const found = header.split(/;\s*/).find(part => part.startsWith(`${COOKIE}=`));
  return found?.slice(COOKIE.length + 1) ?? '';
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new ListwiseError('request-invalid', 'the address is not written as addresses are');
  }
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BODY) throw new ListwiseError('request-invalid', `a body has at most ${MOST_BODY} bytes`);
    chunks.push(chunk as Buffer);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
  } catch {
    throw new ListwiseError('request-invalid', 'the body is no JSON');
  }
}
