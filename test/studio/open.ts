/** A studio over small runs, data and models, for tests. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStudio, type Studio, type StudioOptions } from '#listwise/studio/server.js';
import type { Resume } from '#listwise/studio/workspace.js';
import { run } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';

/** A name that would be a picture with a script, and a command in a shell. */
export const nasty = '<img src=x onerror=alert(1)>';
export const nastyFile = '$(touch x).txt';

export interface OpenStudio {
  readonly studio: Studio;
  readonly base: string;
  readonly cookie: string;
  file(name: string): string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  json<T>(path: string): Promise<T>;
  post(path: string, body: unknown): Promise<Response>;
}

export async function openTestStudio(resume?: Resume): Promise<OpenStudio> {
  const directory = temporaryDirectory();
  const file = (name: string) => join(directory, name);
  const cli = async (words: string) => {
    const { code, stderr } = await run([...words.split(' '), '--quiet', '--threads', '1'], { cwd: directory });
    if (code !== 0) throw new Error(stderr);
  };
  await cli('generate cubic --queries 20 --docs 8 --features 4 --out data.txt');
  await cli('generate cubic --queries 20 --docs 8 --features 4 --seed 2 --out other.txt');
  await cli(`train ${file('data.txt')} --dir runs/a --set trees=4`);
  await cli('train data.txt --dir runs/b --model linear --set epochs=3');
  cpSync(file('data.txt'), file(nastyFile));
  cpSync(file('runs/a'), file(`runs/${nasty}`), { recursive: true });
  mkdirSync(file('secret'));
  cpSync(file('runs/a'), file('secret/c'), { recursive: true });
  symlinkSync(file('secret/c'), file('runs/linked'));
  mkdirSync(file('runs/leak'));
  cpSync(file('runs/a/run.json'), file('runs/leak/run.json'));
  writeFileSync(file('secret/report.html'), 'secret');
  symlinkSync(file('secret/report.html'), file('runs/leak/report.html'));
  symlinkSync(file('secret/c/model.json'), file('runs/leak/model.json'));
  writeFileSync(file('titles.tsv'), `1\tThe <b>first</b> one\n2\tThe second one\n`);
  const studio = await openStudio({
    folders: [file('runs')],
    data: [file('data.txt'), file('other.txt'), file(nastyFile)],
    models: [],
    titles: file('titles.tsv'),
    every: 50,
    resume,
  });
  return { studio, file, ...(await visit(studio)) };
}

/** What one looks at in a studio of its own. */
export async function inStudio<T>(given: Partial<StudioOptions>, look: (there: Visit) => Promise<T>): Promise<T> {
  const studio = await openStudio({ folders: [], data: [], models: [], ...given });
  try {
    return await look(await visit(studio));
  } finally {
    await studio.close();
  }
}

export type Visit = Omit<OpenStudio, 'studio' | 'file'>;

/** As a browser that was given the address with the token. */
export async function visit(studio: Studio): Promise<Visit> {
  const base = new URL(studio.url).origin;
  const first = await fetch(studio.url, { redirect: 'manual' });
  const cookie = first.headers.get('set-cookie')!.split(';')[0]!;
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(base + path, { headers: { cookie, ...headers } });
  return {
    base,
    cookie,
    get,
    json: async path => (await get(`/api/${path}`)).json() as never,
    post: (path, body) =>
      fetch(`${base}/api/${path}`, { method: 'POST', headers: { cookie }, body: JSON.stringify(body) }),
  };
}
