/**
 * The studio's HTTP server: on this machine alone, for whoever has the token in its address. What there is to see is in
 * views/; the page that shows it is in app/.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ListwiseError } from '../errors.js';
import { errorAnswer, internalFailure } from '../serve/answers.js';
import { readBody } from '../serve/read-body.js';
import { isSecret } from '../serve/secret.js';
import { Changes } from './changes.js';
import { ownFile, PAGE } from './own-files.js';
import { readAhead } from './read-ahead.js';
import { routes } from './routes.js';
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

const MOST_BODY = 1 << 20;
/** Milliseconds that data may take before the address is known. */
const MOST_BEFORE = 500;
/**
 * Of a report, which is a file of whoever made the folder: in a sandbox of its own, which cannot reach the studio, and
 * with no address from which anything may be loaded, or sent to.
 */
const REPORT_POLICY = [
  'sandbox allow-scripts allow-downloads',
  "default-src 'none'",
  "script-src 'unsafe-inline'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
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

/** Opens a studio over run folders, data and models, on this machine alone. */
export async function openStudio(options: StudioOptions): Promise<Studio> {
  const workspace = await Workspace.open(options);
  const service = new Service(workspace, options.every ?? 1000, options.note);
  const ahead = readAhead(workspace, () => service.asked);
  await service.listen(options.port ?? 0);
  // Whoever has the address comes at once, and looks at what was named first: small data is there by then.
  await Promise.race([ahead, new Promise(resolve => setTimeout(resolve, MOST_BEFORE).unref())]);
  return service;
}

class Service implements Studio {
  readonly #token = randomBytes(24).toString('base64url');
  readonly #workspace: Workspace;
  readonly #server = createServer((request, response) => void this.#take(request, response));
  readonly #changes: Changes;
  readonly #timer: NodeJS.Timeout;
  readonly #note: ((text: string) => void) | undefined;
  /** Whether anybody has come. */
  asked = false;

  constructor(workspace: Workspace, every: number, note?: (text: string) => void) {
    this.#note = note;
    this.#workspace = workspace;
    this.#changes = new Changes(() => workspace.look());
    this.#timer = setInterval(() => this.#changes.watched && void this.#changes.look(), every).unref();
  }

  async listen(port: number): Promise<void> {
    // Read once before anybody looks: from then on only what has changed is.
    await this.#changes.look();
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening').catch(error => {
      throw new ListwiseError('option-invalid', `cannot listen on port ${port}: ${(error as Error).message}`);
    });
  }

  get #host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Cookies know no port: another studio on this machine has one of its own. */
  get #cookie(): string {
    return `listwise-${(this.#server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.#host}/?token=${this.#token}`;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#workspace.trainings.close();
    this.#changes.close();
    const closed = new Promise(resolve => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked = true;
    try {
      await this.#answer(request, response);
    } catch (error) {
      if (!(error instanceof ListwiseError)) this.#note?.(internalFailure(error));
      if (response.headersSent) return void response.destroy();
      const { status, text } = errorAnswer(error);
      this.#send(response, status, text);
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { headers, method = '' } = request;
    // As it is written: two slashes at its start name no other host.
    const written = `http://${this.#host}${request.url}`;
    const url = request.url?.startsWith('/') && URL.canParse(written) ? new URL(written) : malformed();
    // A page from elsewhere that has its name point here has another host, or another origin.
    if (headers.host !== this.#host || (headers.origin !== undefined && headers.origin !== `http://${this.#host}`))
      return this.#send(response, 403, `not from here: the studio is at http://${this.#host}`, 'text/plain');
    const given = url.searchParams.get('token');
    if (given !== null && isSecret(given, this.#token)) {
      // Lax: an address that somebody was sent opens from a chat or a mail, which strict cookies do not come along to.
      // Pages from elsewhere get no more by it: what changes anything is a POST, to which it is not sent, and whose
      // origin is looked at besides; no frame, picture or request of theirs has it.
      response.setHeader('Set-Cookie', `${this.#cookie}=${this.#token}; HttpOnly; SameSite=Lax; Path=/`);
      response.setHeader('Location', '/');
      return this.#send(response, 303, '', 'text/plain');
    }
    if (!isSecret(cookieOf(headers.cookie, this.#cookie), this.#token))
      return this.#send(response, 401, 'open the address that the command printed', 'text/plain');
    const [first = '', name = '', ...ids] = url.pathname.split('/').slice(1).map(decoded);
    if (method === 'GET' && url.pathname === '/') return this.#send(response, 200, PAGE, 'text/html; charset=utf-8');
    const ours = method === 'GET' ? ownFile(first) : undefined;
    if (ours !== undefined) return this.#send(response, 200, ours.text, ours.type);
    if (method === 'GET' && first === 'events') return this.#changes.watch(response);
    if (method === 'GET' && first === 'report') return this.#report(response, [name, ...ids].join('/'));
    const handler = first === 'api' ? routes.get(method)?.get(name) : undefined;
    if (handler === undefined) throw new ListwiseError('route-unknown', 'there is nothing at this address');
    const body = method === 'POST' ? await bodyOf(request) : undefined;
    const answer = await handler(this.#workspace, { ids, query: url.searchParams }, body);
    this.#send(response, 200, JSON.stringify(answer));
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

  async #report(response: ServerResponse, id: string): Promise<void> {
    const { runs } = this.#workspace;
    const content = await runs.fileOf(await runs.named(id), 'report');
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': REPORT_POLICY,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.end(content);
  }
}

function cookieOf(header = '', name: string): string {
  const found = header.split(/;\s*/).find(part => part.startsWith(`${name}=`));
  return found?.slice(name.length + 1) ?? '';
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return malformed();
  }
}

function malformed(): never {
  throw new ListwiseError('request-invalid', 'the address is not written as addresses are');
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const body = await new Promise<Buffer>((resolve, reject) => {
    readBody(request, MOST_BODY, (error, found) => (found ? resolve(Buffer.concat(found)) : reject(error)));
  });
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    throw new ListwiseError('request-invalid', 'the body is no JSON');
  }
}
