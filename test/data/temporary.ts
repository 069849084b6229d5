/** A directory for one test file, taken away at the end. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'listwise-test-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
