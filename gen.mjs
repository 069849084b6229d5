import { dataFiles } from './bench/tree-files.mjs';
import { mkdirSync } from 'node:fs';
mkdirSync('/tmp/listwise-bench', { recursive: true });
for (const shape of process.argv.slice(2)) console.log(await dataFiles('/tmp/listwise-bench', shape, 1, true));
