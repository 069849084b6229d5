/** For `node --import`: runs TypeScript of the repository as it stands, for Node versions that cannot. */
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'esbuild';

// The hooks below run in a thread of their own, in which this file is loaded again.
if (isMainThread) register(import.meta.url);

export async function resolve(specifier, context, next) {
  const source = context.parentURL?.endsWith('.ts') && specifier.startsWith('.');
  return next(source ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), { loader: 'ts', target: 'node20' });
  return { format: 'module', source: code, shortCircuit: true };
}
