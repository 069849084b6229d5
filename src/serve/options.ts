/** What a server is given, and what it does without. */
import { availableParallelism } from 'node:os';
import { ListwiseError } from '../errors.js';
import type { Limits } from './request.js';

/**
 * How documents are logged.
 *
 * @example
 * import type { LogOptions } from 'listwise/serve';
 *
 * const log: LogOptions = { directory: 'log', share: 0.1, bytes: 100_000_000, files: 10 };
 */
export interface LogOptions {
  /** Where the files go; it must exist. */
  readonly directory: string;
  /** The part of the requests that is logged (default 1), by a hash of their keys. */
  readonly share?: number | undefined;
  /** A file of so many bytes is followed by the next (default 100 MB). */
  readonly bytes?: number | undefined;
  /** So many files are kept (default 10); older ones are deleted. */
  readonly files?: number | undefined;
  /** JSON lines, or Parquet through DuckDB, written when a file is full (default jsonl). */
  readonly format?: 'jsonl' | 'parquet' | undefined;
}

/**
 * How models are served.
 *
 * @example
 * import type { ServeOptions } from 'listwise/serve';
 *
 * const options: ServeOptions = { models: ['model.json'], port: 8080, deadline: 5, note: text => console.warn(text) };
 */
export interface ServeOptions {
  /** FILE, NAME=FILE, NAME@VERSION=FILE, or a folder of model files. */
  readonly models: readonly string[];
  /** Models that are scored with every request, but not served. */
  readonly shadows?: readonly string[] | undefined;
  /** Parts of the requests by name of model; without them all go to the first. */
  readonly shares?: Readonly<Record<string, number>> | undefined;
  /** Default 127.0.0.1: this machine only. */
  readonly host?: string | undefined;
  /** Default 8080; 0 takes one that is free. */
  readonly port?: number | undefined;
  /** Asked of every request but those for /health and /ready. */
  readonly token?: string | undefined;
  /** Milliseconds after which documents keep the given order. */
  readonly deadline?: number | undefined;
  readonly log?: LogOptions | undefined;
  /** Bytes of a body (default 16 MB), documents (10,000) and features of a document (10,000). */
  readonly limits?: Partial<Limits> | undefined;
  /** Requests at a time (default 512); more are refused. */
  readonly requests?: number | undefined;
  /** Milliseconds that a request may take to arrive (default 10,000). */
  readonly timeout?: number | undefined;
  /** Milliseconds that requests have to end once the server is being stopped (default 10,000). */
  readonly grace?: number | undefined;
  /** Milliseconds between two looks at the model files (default 1000); 0 never looks. */
  readonly watch?: number | undefined;
  /** Threads for long lists (default: all cores). */
  readonly threads?: number | undefined;
  /** Called with what happens: models that were loaded again, or were not. */
  readonly note?: ((text: string, code?: 'log-lost') => void) | undefined;
}

/** Milliseconds that a timer can wait. */
const LONGEST = 2 ** 31 - 1;

export function settled(options: ServeOptions) {
  const { token, shares = {} } = options;
  if (token !== undefined && token.trim().length < 8)
    throw new ListwiseError('option-invalid', '`token` must have at least 8 characters');
  const { port = 8080 } = options;
  if (!(Number.isInteger(port) && port >= 0 && port < 2 ** 16))
    throw new ListwiseError('option-invalid', `\`port\` must be a whole number from 0 to 65535, found ${port}`);
  for (const name of ['deadline', 'timeout', 'grace', 'watch'] as const) {
    const time = options[name];
    if (time !== undefined && !(time >= 0 && time <= LONGEST))
      throw new ListwiseError('option-invalid', `\`${name}\` must be from 0 to ${LONGEST} milliseconds, found ${time}`);
  }
  for (const [name, share] of Object.entries(shares)) {
    if (!(share >= 0 && share < Infinity))
      throw new ListwiseError('option-invalid', `\`shares\` gives ${name} ${share}; it must be at least 0`);
  }
  return {
    models: options.models,
    shadows: options.shadows ?? [],
    shares: new Map(Object.entries(shares)),
    host: options.host ?? '127.0.0.1',
    port,
    token: token?.trim(),
    deadline: options.deadline,
    log: options.log,
    limits: { body: 1 << 24, documents: 10_000, features: 10_000, ...options.limits },
    requests: options.requests ?? 512,
    timeout: options.timeout ?? 10_000,
    grace: options.grace ?? 10_000,
    watch: options.watch ?? 1000,
    threads: options.threads ?? availableParallelism(),
    note: options.note,
  };
}
