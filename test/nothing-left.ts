/** Tests have a folder for temporary files, and fail where they or the program leave something there. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export default function setup(): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'listwise-tests-'));
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = directory; // the last two are those of Windows
  return () => {
    // Browsers and compilers may leave things of their own.
    const left = readdirSync(directory).filter(name => name.startsWith('listwise'));
    rmSync(directory, { recursive: true, force: true });
    if (left.length === 0) return;
    console.error(`tests left temporary files behind: ${left.join(', ')}`);
    process.exitCode = 1; // an error thrown here is printed, and the run passes all the same
  };
}
