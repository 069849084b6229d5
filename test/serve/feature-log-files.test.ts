/** Files of the feature log: when they begin and end, who else writes there, what the disk takes. */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { NOTHING_KNOWN } from '#listwise/data/description.js';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { lockName } from '#listwise/io/lock.js';
import { whereabouts } from '#listwise/io/process-exists.js';
import { LinearModel } from '#listwise/models/linear/linear.js';
import { printModel } from '#listwise/models/model-file.js';
import { folder, logged, made, model, PATIENCE, rank, running, up } from './logging.js';

describe('files of the feature log', () => {
  it('starts new files and deletes old ones', async () => {
    const directory = made('rotated');
    const server = await up({ log: { directory, bytes: 1000, files: 3 } });
    for (let q = 0; q < 40; q++) {
      await rank(server, { documents: [{ id: 'a', features: { bm25: q } }] });
    }
    await server.close();
    const files = logged(directory);
    expect(files).toHaveLength(3);
    for (const file of files) {
      const text = readFileSync(join(directory, file), 'utf8');
      expect(text.length).toBeLessThanOrEqual(1000);
      for (const line of text.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('bm25');
    }
  });

  it('makes Parquet of what a server left that was killed, and keeps as many files as asked for', async () => {
    const directory = made('left');
    const line =
      '{"qid":"r1","docid":"a","shown_position":1,"served_query":null,"served_model":"m 1","served_at":"t","served_score":1,"label":1,"bm25":2,"kind":"x"}';
    writeFileSync(join(directory, '.ranked-2026-01-01T00-00-00-000Z-0.jsonl'), `${line}\n`);
    const notes: string[] = [];
    const note = (text: string) => notes.push(text);
    const server = await up({ log: { directory, format: 'parquet', bytes: 1000, files: 3 }, note });
    await expect(up({ log: { directory, format: 'parquet' } })).rejects.toMatchObject({ code: 'run-exists' });
    await vi.waitFor(() => expect(logged(directory)).toEqual(['ranked-2026-01-01T00-00-00-000Z-0.parquet']), PATIENCE);
    expect((await readDataset(directory, { categories: ['kind'] })).featureNames).toEqual(['bm25', 'kind']);
    for (let q = 0; q < 40; q++) await rank(server, { documents: [{ id: 'a', features: { bm25: q } }] });
    await server.close();
    expect(logged(directory)).toHaveLength(3);
    expect(readdirSync(directory).filter(name => name.includes('.ranked'))).toEqual([]);
    expect(notes).toEqual([]); // none was deleted before it was made Parquet
  });

  it('as Parquet begins beside a server that cannot be seen, such as one killed with its container', async () => {
    const directory = made('unseen');
    mkdirSync(join(directory, '.writer'));
    const dead = lockName({ ...whereabouts(), pid: 1, started: 'ab', host: 'a-container' });
    writeFileSync(join(directory, '.writer', dead), '');
    const unfinished = '.ranked-2026-01-01T00-00-00-000Z-0.jsonl';
    writeFileSync(join(directory, unfinished), '{"qid":"r1","docid":"a","label":1,"bm25":2}\n');
    const notes: string[] = [];
    const log = { directory, format: 'parquet' } as const;
    const server = await up({ log, note: text => notes.push(text) });
    await expect(up({ log })).rejects.toMatchObject({ code: 'run-exists' }); // that one is seen
    await rank(server, { documents: [{ id: 'a', features: { bm25: 1 } }] });
    await server.close();
    expect(logged(directory)).toEqual([expect.stringMatching(/\.parquet$/)]);
    expect(readdirSync(directory)).toContain(unfinished); // it may be written on
    expect(notes).toEqual([expect.stringMatching(/another server may log .*on a-container\).* take away lock\.1\./)]);
    rmSync(join(directory, '.writer', dead));
    await (await up({ log })).close();
    expect(logged(directory)).toHaveLength(2);
    expect(readdirSync(directory)).not.toContain(unfinished);
  });

  it('of two servers in one folder is read as one, with what both know of its columns', async () => {
    const directory = made('two');
    const described = (name: string) => {
      const file = join(folder, `${name}-levels.json`);
      const description = {
        ...NOTHING_KNOWN,
        kinds: { [name]: 'category' },
        categories: { [name]: ['x', 'y'] },
      } as const;
      const options = { featureNames: ['bm25', name], weights: [1, 1], description };
      writeFileSync(file, printModel(new LinearModel(options)));
      return file;
    };
    const servers = await Promise.all(
      ['shop', 'brand'].map(name => up({ models: [`m=${described(name)}`], log: { directory } })),
    );
    await Promise.all(
      servers.map((server, s) =>
        rank(server, {
          request: `r${s}`,
          documents: [
            { id: 'a', features: { bm25: 1, [s === 0 ? 'shop' : 'brand']: 'x' }, label: 0 },
            { id: 'b', features: { bm25: 2, [s === 0 ? 'shop' : 'brand']: 'y' }, label: 1 },
          ],
        }),
      ),
    );
    for (const server of running.splice(0)) await server.close();
    expect(logged(directory)).toHaveLength(2);
    const { kinds } = JSON.parse(readFileSync(join(directory, '.data.json'), 'utf8'));
    expect(kinds).toEqual({ shop: 'category', brand: 'category' });
    const data = await readDataset(directory);
    expect([data.queries, [...data.featureNames].sort()]).toEqual([2, ['bm25', 'brand', 'shop']]);
  });

  it('goes on in a new file where the one that is written was deleted', async () => {
    const directory = made('deleted');
    const server = await up({ log: { directory } });
    const documents = [{ id: 'a', features: { bm25: 1 } }];
    await rank(server, { request: 'first', documents });
    await vi.waitFor(
      () => expect(readFileSync(join(directory, logged(directory)[0]!), 'utf8')).toContain('first'),
      PATIENCE,
    );
    rmSync(join(directory, logged(directory)[0]!));
    await rank(server, { request: 'second', documents });
    await server.close();
    const lines = logged(directory).flatMap(file => readFileSync(join(directory, file), 'utf8').trim().split('\n'));
    expect(lines.map(line => JSON.parse(line).qid)).toEqual(['second']);
  });

  it('logs a share of the requests, by their keys', async () => {
    const directory = made('shared');
    const server = await up({ log: { directory, share: 0.3 } });
    for (let q = 0; q < 200; q++) await rank(server, { key: q, documents: [{ features: { bm25: q } }] });
    await server.close();
    const lines = logged(directory).flatMap(file => readFileSync(join(directory, file), 'utf8').trim().split('\n'));
    expect(lines.length).toBeGreaterThan(35);
    expect(lines.length).toBeLessThan(85);
  });

  it('has a folder before the first request, or the server does not start', async () => {
    const directory = join(folder, 'new/log');
    await up({ log: { directory } });
    expect(readdirSync(directory)).toEqual([]);
    await expect(up({ log: { directory: join(model, 'log') } })).rejects.toMatchObject({ code: 'file-unwritable' });
  });

  it('never stops serving: what the disk does not take is counted and said once', async () => {
    const notes: string[] = [];
    const directory = join(folder, 'absent');
    const server = await up({ log: { directory }, note: text => notes.push(text) });
    rmdirSync(directory);
    const request = { documents: [{ features: { bm25: 1 } }, { features: { bm25: 2 } }] };
    for (let i = 0; i < 5; i++) await rank(server, request);
    const metrics = async () => (await fetch(`${server.url}/metrics`)).text();
    await vi.waitFor(
      async () => expect(await metrics()).toContain('listwise_logged_total{result="lost"} 10'),
      PATIENCE,
    );
    expect(notes).toEqual([expect.stringContaining('the feature log cannot be written, requests are served on')]);
    mkdirSync(directory);
    await rank(server, request);
    await vi.waitFor(() => expect(notes.at(-1)).toBe('the feature log is written again'), PATIENCE);
  });
});
