/** Lines that a run goes on from: on disk with their name, and never one after part of another. */
import fs, { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { ChainedLines } from '#listwise/io/chained-lines.js';
import { temporaryDirectory } from '../temporary.js';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('the first error is told again, whoever tries to add more', () => {
  const file = join(temporaryDirectory(), 'lines.jsonl');
  const lines = new ChainedLines(file);
  lines.read();
  lines.add({ line: 1 });
  const failing = vi.spyOn(fs, 'fdatasyncSync').mockImplementation(() => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'fdatasync' });
  });
  syncBuiltinESMExports();
  const full = `${file}: cannot be written: no space left on the device`;
  expect(() => lines.add({ line: 2 })).toThrow(full);
  failing.mockRestore();
  syncBuiltinESMExports();
  const before = readFileSync(file, 'utf8');
  expect(() => lines.add({ line: 3 })).toThrow(full); // not that the file is closed
  expect(readFileSync(file, 'utf8')).toBe(before);
});

it('the name of a new file is on disk before its first line', () => {
  const file = join(temporaryDirectory(), 'checkpoint', 'lines.jsonl');
  const calls: string[] = [];
  const [open, fsync, fdatasync] = [fs.openSync, fs.fsyncSync, fs.fdatasyncSync];
  const names = new Map<number, string>();
  vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
    const handle = open(path, ...rest);
    names.set(handle, String(path));
    return handle;
  });
  vi.spyOn(fs, 'fsyncSync').mockImplementation(handle => {
    calls.push(names.get(handle)!);
    fsync(handle);
  });
  vi.spyOn(fs, 'fdatasyncSync').mockImplementation(handle => {
    calls.push(names.get(handle)!);
    fdatasync(handle);
  });
  syncBuiltinESMExports();
  const lines = new ChainedLines(file);
  lines.read();
  lines.add({ line: 1 });
  lines.close();
  const folder = dirname(file);
  expect(calls).toEqual([dirname(folder), folder, file]);
});
