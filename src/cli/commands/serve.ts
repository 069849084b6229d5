import { readFile } from 'node:fs/promises';
import { unreadable } from '../../io/unreadable.js';
import { serve as startServer } from '../../serve/server.js';
import { usage } from '../command/option.js';
import type { ServeLine } from '../declarations/serve.js';
import type { Output } from '../output.js';

/** Serves until a signal asks it to end. */
export async function serve({ args, options }: ServeLine, output: Output): Promise<void> {
  if (args.models.length === 0) throw usage('name a model: listwise serve MODEL');
  const { log, tokenFile } = options;
  const note = (text: string, code?: 'log-lost') => (code === undefined ? output.note(text) : output.warn(text));
  const server = await startServer({
    models: args.models,
    shadows: options.shadow,
    shares: options.share,
    host: options.host,
    port: options.port,
    token: tokenFile === undefined ? undefined : await tokenOf(tokenFile),
    deadline: options.deadline,
    log:
      log === undefined
        ? undefined
        : {
            directory: log,
            share: options.logShare,
            bytes: options.logBytes,
            files: options.logFiles,
            format: options.logFormat,
          },
    limits: { body: options.maxBody, documents: options.maxDocuments, features: options.maxFeatures },
    requests: options.maxRequests,
    timeout: options.timeout,
    grace: options.grace,
    watch: options.watch,
    threads: options.threads,
    note,
  });
  const { signals } = output;
  signals.onHangUp(() => void server.reload());
  const { url, models } = server;
  if (tokenFile === undefined && !LOOPBACK.test(new URL(url).hostname))
    note('whoever reaches this address may send requests: no --token-file is given');
  output.result('serve', { url, models }, () => `serving ${models.join(', ')} on ${url}`);
  const signal = signals.interruptible();
  await new Promise<void>(resolve => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
  note('stopping: requests that are there are answered');
  await server.close();
}

/** Addresses that only this machine reaches. */
const LOOPBACK = /^(127\..*|\[::1\])$/;

async function tokenOf(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(error => {
    throw unreadable(file, error, 'no such token file');
  });
  return text.trim();
}
