/** A server of a test, as a client sees it; all that were started end with their test. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import type { Ranker } from '#listwise/models/ranker.js';
import { type RunningServer, type ServeOptions, serve } from '#listwise/serve/index.js';
import { temporaryDirectory } from '../temporary.js';

export const folder = temporaryDirectory();
export const names = ['bm25', 'clicks', 'age'];
export const linear = (bm25: number) =>
  new LinearModel({ featureNames: names, weights: [bm25, 0.1, -1], missing: [0, 5, 0] });
let files = 0;

export function save(model: Ranker, name = `model${files++}.json`): string {
  const file = join(folder, name);
  writeFileSync(file, printModel(model));
  return file;
}

export const PATIENCE = { timeout: 5000, interval: 20 };
const running: RunningServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});

export async function up(options: Partial<ServeOptions> = {}): Promise<RunningServer> {
  const server = await serve({ models: [`main=${save(linear(1))}`], port: 0, watch: 0, ...options });
  running.push(server);
  return server;
}

export interface Ranked {
  model: string;
  version?: string;
  late?: boolean;
  request?: string;
  documents: { id: string | number; score: number; rank: number; why?: { feature: string; adds: number }[] }[];
}

export async function post(server: RunningServer, body: unknown, path = '/rank', headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${server.url}${path}`, { method: 'POST', body: text, headers });
  return {
    status: response.status,
    json: (await response.json()) as Ranked & { error: { code: string; message: string } },
  };
}

export const get = async (server: RunningServer, path: string) => (await fetch(`${server.url}${path}`)).text();
export const documents = [
  { id: 'a', features: { bm25: 1, clicks: 10, age: 0 } },
  { id: 'b', features: { bm25: 3, age: 0.5 } },
  { id: 'c', features: { bm25: 2, clicks: null, age: 0.25 } },
];
