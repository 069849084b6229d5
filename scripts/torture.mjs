/** `npm run torture`: see test/torture/main.ts, which is TypeScript. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

// By an address, not by a path: threads load it again, whatever the working directory.
const loader = new URL('run-typescript.mjs', import.meta.url).href;
const main = fileURLToPath(new URL('../test/torture/main.ts', import.meta.url));
const words = ['--import', loader, main, ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1;
