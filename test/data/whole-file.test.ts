import { execFileSync, spawn } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { writeText } from '#listwise/io/whole-file.js';
import { withoutLinks, withoutPipes } from '../platform.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const at = (name: string) => join(directory, name);

describe('writeText', () => {
  it('leaves the old file and nothing else where writing fails', async () => {
    writeFileSync(at('old'), 'old');
    const failing = writeText(at('old'), async sink => {
      await sink.write('half');
      throw new Error('stopped');
    });
    await expect(failing).rejects.toThrow('stopped');
    expect(readFileSync(at('old'), 'utf8')).toBe('old');
    expect(readdirSync(directory)).toEqual(['old']);
  });

  it.skipIf(withoutLinks)('replaces the file that a link points to, and keeps the link', async () => {
    writeFileSync(at('real'), 'old');
    symlinkSync('real', at('link'));
    await writeText(at('link'), sink => sink.write('new'));
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
    expect(readFileSync(at('real'), 'utf8')).toBe('new');
  });

  it.skipIf(withoutPipes)('writes to a pipe instead of replacing it', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    const reader = spawn('cat', [at('pipe')]);
    const [read] = await Promise.all([text(reader.stdout), writeText(at('pipe'), sink => sink.write('through'))]);
    expect(read).toBe('through');
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true);
  });
});
