/** Directories of one test file, taken away after its last test (setup.ts). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'listwise-test-'));
  made.push(directory);
  return directory;
}

export function removeTemporaryDirectories(): void {
  for (const directory of made.splice(0)) rmSync(directory, { recursive: true, force: true });
}
