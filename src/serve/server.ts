/**
 * The HTTP server: addresses, limits, stopping. Everything that a request can cause is an answer; see ranking.ts for
 * what is in it.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ErrorCode, ListwiseError } from '../errors.js';
import { type Answer, errorAnswer, internalFailure } from './answers.js';
import { BodyGarbage } from './body-garbage.js';
import { DriftWindows } from './drift-windows.js';
import { FeatureLog, roomForLog } from './feature-log.js';
import { LargeLists } from './large-lists.js';
import { Metrics } from './metrics.js';
import { openapi } from './openapi.js';
import { type ServeOptions, settled } from './options.js';
import { LOG_COLUMNS } from './parquet-log.js';
import { answer, type Ranking } from './ranking.js';
import { readBody } from './read-body.js';
import { isSecret } from './secret.js';
import { keyOf, type Reload, type ServedModel, ServedModels } from './served-models.js';
import { Together } from './together.js';

/**
 * A server that is up.
 *
 * @example
 * import { type RunningServer, serve } from 'listwise/serve';
 *
 * const server: RunningServer = await serve({ models: ['model.json'], port: 0 });
 * console.log(server.url);
 * await server.close();
 */
export interface RunningServer {
  readonly url: string;
  /** Names of the models that are served. */
  readonly models: readonly string[];
  /** Loads models whose files have changed; a bad file keeps the old model. */
  reload(): Promise<Reload>;
  /** Takes no more requests, answers those that are there, and ends. */
  close(): Promise<void>;
}

/**
 * Starts a server over model files.
 *
 * @example
 * import { serve } from 'listwise/serve';
 *
 * const server = await serve({ models: ['a=model.json', 'b=other.json'], shares: { a: 90, b: 10 }, port: 0 });
 * const body = JSON.stringify({ query: 'shoes', documents: [{ id: 'x', features: { bm25: 2 } }] });
 * console.log(await (await fetch(`${server.url}/rank`, { method: 'POST', body })).json());
 * await server.close();
 */
export async function serve(given: ServeOptions): Promise<RunningServer> {
  const options = settled(given);
  if (options.log !== undefined) await roomForLog(options.log);
  const { log: asked } = options;
  // To DuckDB names are the same in any case.
  const asLogged = (name: string) => (asked?.format === 'parquet' ? name.toLowerCase() : name);
  const isReserved = (name: string) => asked !== undefined && asLogged(name) in LOG_COLUMNS;
  const models = await ServedModels.load({ ...options, isReserved });
  const metrics = new Metrics();
  const log = options.log && (await FeatureLog.open(options.log, metrics, options.note));
  const service = new Service(models, options, metrics, log);
  await service.listen().catch(async error => {
    await log?.close();
    throw error;
  });
  return service;
}

type Settled = ReturnType<typeof settled>;

class Service implements RunningServer {
  readonly #models: ServedModels;
  readonly #options: Settled;
  readonly #metrics: Metrics;
  readonly #drift: DriftWindows;
  readonly #ranking: Ranking;
  readonly #server: Server;
  /** What requests must have. */
  readonly #token: string | undefined;
  readonly #log: FeatureLog | undefined;
  /** How many reloads there are to do, and the last of them. */
  #reloads = 0;
  #reloaded: Promise<unknown> = Promise.resolve();
  #watching: NodeJS.Timeout | undefined;
  /** Requests that are being received or answered, and the bytes of their bodies. */
  #open = 0;
  #bytes = 0;
  readonly #together = new Together();
  readonly #garbage = new BodyGarbage();
  #stopping: Promise<void> | undefined;

  constructor(models: ServedModels, options: Settled, metrics: Metrics, log: FeatureLog | undefined) {
    this.#metrics = metrics;
    this.#log = log;
    this.#models = models;
    this.#options = options;
    this.#token = options.token;
    this.#drift = new DriftWindows(options.note);
    this.#ranking = {
      models,
      metrics: this.#metrics,
      limits: options.limits,
      large: new LargeLists(options.threads),
      log: this.#log,
      deadline: options.deadline,
      watch: (request, scores) => this.#drift.add(request, scores),
    };
    this.#server = createServer(
      {
        requestTimeout: options.timeout,
        headersTimeout: options.timeout,
        connectionsCheckingInterval: 1000,
        requireHostHeader: false, // asked for in #admit, which says what is wrong
      },
      (request, response) => this.#take(request, response),
    );
    this.#server.on('checkExpectation', (request, response) => this.#take(request, response));
    this.#server.keepAliveTimeout = 60_000;
    this.#server.maxConnections = CONNECTIONS * options.requests;
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) {
        socket.destroy();
        return;
      }
      const [code, detail] = CLIENT_ERRORS[error.code ?? ''] ?? ['request-invalid', 'not HTTP'];
      const { status, text } = errorAnswer(new ListwiseError(code, detail));
      this.#metrics.requests.add({ route: 'other', status: String(status) });
      socket.end(
        `HTTP/1.1 ${status} Error\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      );
    });
  }

  async listen(): Promise<void> {
    const { host, port, watch } = this.#options;
    // A burst of new connections waits to be taken instead of being reset.
    this.#server.listen({ port, host, backlog: 4096 });
    await once(this.#server, 'listening').catch(error => {
      const why = (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'it is in use' : (error as Error).message;
      throw new ListwiseError('option-invalid', `cannot listen on ${host}:${port}: ${why}`);
    });
    if (watch > 0) this.#watching = setInterval(() => void (this.#reloads === 0 && this.#reload(false)), watch).unref();
  }

  get url(): string {
    const { address, port, family } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  }

  get models(): string[] {
    return this.#models.all.map(keyOf);
  }

  reload(): Promise<Reload> {
    return this.#reload(true);
  }

  #reload(force: boolean): Promise<Reload> {
    this.#reloads++;
    const done = this.#reloaded.then(() => this.#reloadNow(force)).finally(() => this.#reloads--);
    this.#reloaded = done;
    return done;
  }

  async #reloadNow(force: boolean): Promise<Reload> {
    const done = await this.#models.reload(force);
    const { note } = this.#options;
    for (const model of done.loaded) {
      this.#metrics.reloads.add({ model, result: 'loaded' });
      note?.(`loaded ${model}`);
    }
    for (const model of done.restored) {
      this.#metrics.reloads.add({ model, result: 'restored' });
      note?.(`the file of ${model} is whole again: it holds the model that is served`);
    }
    const there = [...this.#models.all, ...this.#models.shadows].map(keyOf);
    for (const { model, error } of done.failed) {
      this.#metrics.reloads.add({ model, result: error.code });
      note?.(`${model} was not loaded${there.includes(model) ? ', the old one is served on' : ''}: ${error.message}`);
    }
    if (done.loaded.length > 0) {
      const used = [...this.#models.all, ...this.#models.shadows].map(({ ranker }) => ranker.model);
      await this.#ranking.large.keepOnly(new Set(used));
    }
    return done;
  }

  close(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    clearInterval(this.#watching);
    const closed = new Promise(resolve => this.#server.close(resolve));
    // Connections that stay open between requests would keep the server up.
    const idle = setInterval(() => this.#server.closeIdleConnections(), 20);
    const cut = setTimeout(() => this.#server.closeAllConnections(), this.#options.grace);
    this.#server.closeIdleConnections();
    await closed;
    clearInterval(idle);
    clearTimeout(cut);
    await this.#ranking.large.close();
    await this.#log?.close();
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const arrived = performance.now();
    const route = routeOf(request);
    const bytes = request.method === 'POST' ? bodyBytes(request, this.#options.limits.body) : 0;
    this.#open++;
    this.#bytes += bytes;
    response.on('close', () => {
      this.#open--;
      this.#bytes -= bytes;
    });
    const send = (ready: Answer) => {
      const now = performance.now();
      const { status } = ready;
      this.#metrics.requests.add(status === 200 ? route.labels : { route: route.name, status: String(status) });
      this.#metrics.took(route.name, (now - arrived) / 1000);
      this.#together.add(now, () => write(ready));
    };
    const write = ({ status, text, type = 'application/json' }: Answer) => {
      if (response.headersSent || response.destroyed) return;
      if (this.#stopping !== undefined || !request.complete) response.setHeader('Connection', 'close');
      // A text goes out with the headers in one piece, where bytes would be a second one.
      response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) });
      response.end(text);
    };
    const fail = (error: unknown) => {
      if (!(error instanceof ListwiseError)) this.#options.note?.(internalFailure(error));
      send(errorAnswer(error));
    };
    try {
      this.#admit(request, route);
      if (route.name === '/rank' || route.name === '/score') {
        const order = route.name === '/rank';
        readBody(request, this.#options.limits.body, (error, body) => {
          if (body === undefined) return fail(error);
          try {
            const text = answer(this.#ranking, body, order, arrived);
            if (typeof text === 'string') send({ status: 200, text });
            else text.then(found => send({ status: 200, text: found }), fail);
          } catch (problem) {
            fail(problem);
          }
          // Last, so that a collection comes behind the answer.
          for (const { length } of body) this.#garbage.add(length);
        });
      } else {
        request.resume();
        send(this.#about(route.name));
      }
    } catch (error) {
      request.resume();
      fail(error);
    }
  }

  /** Refuses what is not to be answered; anybody may ask whether the server is up. */
  #admit({ headers, method, httpVersion }: IncomingMessage, { name, methods }: Route): void {
    if (headers.host === undefined && httpVersion === '1.1')
      throw new ListwiseError('request-invalid', 'the request has no Host');
    if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
      throw new ListwiseError('request-invalid', 'send the request without Expect');
    if (name !== '/health' && name !== '/ready') {
      const [, given = ''] = /^bearer (.*)$/i.exec(headers.authorization ?? '') ?? [];
      if (this.#token !== undefined && !isSecret(given, this.#token)) {
        throw new ListwiseError('request-unauthorised', 'give the token: Authorization: Bearer TOKEN');
      }
    }
    if (!methods.includes(method ?? '')) {
      throw new ListwiseError(
        'route-unknown',
        `there are ${Object.entries(ROUTES)
          .map(([path, [verb]]) => `${verb} ${path}`)
          .join(', ')}`,
      );
    }
    if (method !== 'POST') return;
    if (this.#open > this.#options.requests) throw new ListwiseError('server-busy', 'too many requests at a time');
    if (this.#bytes > Math.max(ALL_BODIES, BODIES * this.#options.limits.body))
      throw new ListwiseError('server-busy', 'too many bytes of requests at a time');
    if (headers['content-encoding'] !== undefined && headers['content-encoding'] !== 'identity')
      throw new ListwiseError('request-invalid', 'send the body as it is, without Content-Encoding');
  }

  #about(route: string): Answer {
    if (route === '/health') return { status: 200, text: '{"status":"ok"}' };
    if (route === '/ready') {
      return this.#stopping === undefined
        ? { status: 200, text: '{"status":"ready"}' }
        : { status: 503, text: '{"status":"stopping"}' };
    }
    if (route === '/openapi.json') return { status: 200, text: JSON.stringify(openapi(this.#options.limits)) };
    if (route === '/metrics') return { status: 200, text: this.#metricsText(), type: 'text/plain; version=0.0.4' };
    return { status: 200, text: JSON.stringify({ models: this.#modelList() }) };
  }

  #modelList(): object[] {
    return [
      ...this.#models.all.map(served => this.#aboutModel(served, 'served')),
      ...this.#models.shadows.map(served => this.#aboutModel(served, 'shadow')),
    ];
  }

  #aboutModel(served: ServedModel, role: string): object {
    const { ranker, name, version, digest, loaded } = served;
    return {
      model: keyOf(served),
      name,
      ...(version !== undefined && { version }),
      role,
      share: this.#models.shares.get(keyOf(served)) ?? 0,
      kind: ranker.model.kind,
      size: ranker.model.size?.() ?? {},
      features: ranker.featureNames,
      digest,
      loaded: loaded.toISOString(),
    };
  }

  #metricsText(): string {
    return this.#metrics.text([
      ...this.#drift.gauges(this.#models.all),
      { name: 'open_requests', help: 'Requests that are being received or answered.', values: [[{}, this.#open]] },
      {
        name: 'resident_bytes',
        help: 'Resident memory of the process.',
        values: [[{}, process.memoryUsage.rss()]],
      },
      {
        name: 'model_loaded_timestamp_seconds',
        help: 'When each model was loaded.',
        values: [...this.#models.all, ...this.#models.shadows].map(served => [
          { model: keyOf(served), digest: served.digest },
          served.loaded.getTime() / 1000,
        ]),
      },
    ]);
  }
}

/** Bytes of all bodies that are being received or answered, at most: that, or those of so many of the largest. */
const ALL_BODIES = 2 ** 28;
const BODIES = 16;
/** Connections for each of the requests at a time. */
const CONNECTIONS = 4;

/** Bytes that a body has; one that does not say it may have as many as any. */
function bodyBytes({ headers }: IncomingMessage, most: number): number {
  return Math.min(most, Number(headers['content-length'] ?? most));
}

/** What is wrong before there is a request, by Node's code for it. */
const CLIENT_ERRORS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'the request took too long'],
  HPE_HEADER_OVERFLOW: ['request-too-large', 'the headers are too long'],
};

const ROUTES = {
  '/rank': ['POST'],
  '/score': ['POST'],
  '/models': ['GET', 'HEAD'],
  '/health': ['GET', 'HEAD'],
  '/ready': ['GET', 'HEAD'],
  '/metrics': ['GET', 'HEAD'],
  '/openapi.json': ['GET', 'HEAD'],
} as const satisfies Record<string, readonly string[]>;

interface Route {
  /** As counted: `other` for what is none. */
  readonly name: string;
  readonly methods: readonly string[];
  /** Of answers with status 200. */
  readonly labels: { readonly route: string; readonly status: string };
}

const route = (name: string, methods: readonly string[]): Route => ({
  name,
  methods,
  labels: { route: name, status: '200' },
});
const routes = new Map(Object.entries(ROUTES).map(([name, methods]) => [name, route(name, methods)]));
const OTHER = route('other', []);

function routeOf({ url = '' }: IncomingMessage): Route {
  return routes.get(url) ?? routes.get(url.split('?', 1)[0]!) ?? OTHER;
}
