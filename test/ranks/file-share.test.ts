/** Which bytes of a file each rank reads. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csv } from '#listwise/data/readers/tables/delimited.js';
import { fileInput } from '#listwise/io/inputs.js';
import { cutFiles, firstLine } from '#listwise/ranks/file-share.js';
import { temporaryDirectory } from '../temporary.js';

describe('a table that ranks share', () => {
  it('is cut between queries, and each part has the header', async () => {
    const path = join(temporaryDirectory(), 'a.csv');
    const header = 'label,"query",size\n';
    const rows = Array.from(
      { length: 120 },
      (_, i) => `${i % 3},${i % 2 ? `"q${Math.floor(i / 8)}"` : `q${Math.floor(i / 8)}`},${i}\n`,
    );
    writeFileSync(path, header + rows.join(''));
    const input = await fileInput(path);
    const first = (await firstLine(input))!;
    expect(Buffer.from(first).toString()).toBe(header);
    const dealt = await cutFiles([input], 3, [
      { queryOf: csv.queryByHeader!(header.trim(), {}, path)!, header: first },
    ]);
    const texts = await Promise.all(
      dealt.map(async ([piece]) => {
        const parts: Uint8Array[] = [];
        for await (const part of piece!.open()) parts.push(Uint8Array.from(part));
        return Buffer.concat(parts).toString();
      }),
    );
    for (const text of texts) expect(text.startsWith(header)).toBe(true);
    // About a third each, to the end of a query.
    expect(texts.map(text => text.split('\n').length - 2)).toEqual([48, 40, 32]);
    expect(texts.map(text => text.slice(header.length)).join('')).toBe(rows.join(''));
  });

  it('has no parts where no column says the query', () => {
    expect(() => csv.queryByHeader!('label,size', {}, 'a.csv')).toThrow(/no column is named as the query/);
    expect(csv.queryByHeader!('label', {}, 'a.csv')).toBeUndefined();
  });
});
