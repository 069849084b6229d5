/** Servers that log features, for tests; they end after each test. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { type RunningServer, type ServeOptions, serve } from '#listwise/serve/index.js';
import { temporaryDirectory } from '../temporary.js';

export const folder = temporaryDirectory();
export const model = join(folder, 'model.json');
writeFileSync(model, printModel(new LinearModel({ featureNames: ['bm25', 'age'], weights: [1, -1] })));
export const running: RunningServer[] = [];
/** The log is written while requests go on. */
export const PATIENCE = { timeout: 5000, interval: 20 };
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

export async function up(options: Partial<ServeOptions>): Promise<RunningServer> {
  const server = await serve({ models: [`m=${model}`], port: 0, watch: 0, ...options });
  running.push(server);
  return server;
}

export async function rank(server: RunningServer, body: object) {
  const response = await fetch(`${server.url}/rank`, { method: 'POST', body: JSON.stringify(body) });
  expect(response.status).toBe(200);
  return (await response.json()) as { request: string; documents: { id: string; score: number }[] };
}

/** Files that are no secret of the log's. */
export const logged = (directory: string) => readdirSync(directory).filter(name => !name.startsWith('.'));

export const made = (name: string) => {
  const directory = join(folder, name);
  mkdirSync(directory);
  return directory;
};
