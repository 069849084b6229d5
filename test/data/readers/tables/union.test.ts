/** Directories that describe themselves, files of different columns, rows without a label. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDataset } from '#listwise/data/read/read-dataset.js';
import { run } from '../../../cli/run.js';
import { temporaryDirectory } from '../../../temporary.js';

const folder = temporaryDirectory();

function directory(name: string, files: Record<string, string>): string {
  const made = join(folder, name);
  mkdirSync(made);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(made, file), text);
  return made;
}

const described = (more: object) => JSON.stringify({ schema: 'listwise/data/1', ...more });

describe.each(['csv', 'jsonl'])('files of %s', format => {
  const rows = (objects: readonly Record<string, unknown>[]) =>
    format === 'jsonl'
      ? objects.map(object => JSON.stringify(object)).join('\n')
      : [Object.keys(objects[0]!).join(), ...objects.map(object => Object.values(object).join())].join('\n');
  const first = rows([{ qid: 1, label: 1, a: 2 }]);
  const second = rows([{ qid: 2, label: 0, b: 3, colour: 'red' }]);

  it('may differ where their directory says so; otherwise they may not', async () => {
    const files = { [`a.${format}`]: first, [`b.${format}`]: second };
    const data = await readDataset(
      directory(`union-${format}`, {
        ...files,
        '.data.json': described({ union: true, kinds: { colour: 'category' } }),
      }),
    );
    expect(data.featureNames).toEqual(['a', 'b', 'colour']);
    expect(Array.from({ length: 6 }, (_, i) => data.feature(Math.floor(i / 3), i % 3))).toEqual([
      2,
      NaN,
      NaN,
      NaN,
      3,
      0,
    ]);
    const strict = directory(`strict-${format}`, {
      ...files,
      '.data.json': described({ kinds: { colour: 'category' } }),
    });
    await expect(readDataset(strict)).rejects.toMatchObject({ code: 'feature-mismatch' });
  });

  it('that differ have a query, and what else all must have', async () => {
    const lacking = rows([{ label: 0, a: 3 }]);
    const files = { [`a.${format}`]: first, [`b.${format}`]: lacking, '.data.json': described({ union: true }) };
    await expect(readDataset(directory(`lacking-${format}`, files))).rejects.toMatchObject({ code: 'column-unknown' });
  });

  it('may lack labels where nobody needs them, or where one says what becomes of such documents', async () => {
    const objects = [0, 1, 2, 3].map(i => ({ qid: i >> 1, label: i === 1 ? null : i, a: i }));
    const data = directory(`labels-${format}`, { [`a.${format}`]: rows(objects) });
    await expect(readDataset(data)).rejects.toThrow('`unjudged: drop` leaves such documents out');
    const notes: string[] = [];
    const kept = await readDataset(data, { unjudged: 'drop', note: text => notes.push(text) });
    expect([kept.rows, notes.at(-1)]).toEqual([3, '1 document without a label, left out']);
    expect([...(await readDataset(data, { unjudged: 'keep' })).labels.get('label')!]).toEqual([0, NaN, 2, 3]);
    expect((await readDataset(data, { unlabelled: true })).rows).toBe(4);
  });
});

it('a description written into the directory that it describes names it', async () => {
  const data = directory('self', { 'a.csv': 'qid,label,x\n1,1,2\n1,0,3\n' });
  const file = join(data, '.data.json');
  expect((await run(['inspect', data, '--describe', file])).code).toBe(0);
  expect((await run(['inspect', file])).code).toBe(0);
  expect((await run(['inspect', data])).code).toBe(0);
});
