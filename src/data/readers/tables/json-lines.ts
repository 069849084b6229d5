/** JSON lines: one object a line, its keys are the columns; a key that a row leaves out is a missing value there. */
import type { Reader } from '../reader.js';
import { JsonScanner } from './json-scanner.js';
import { streamTextTables } from './text-tables.js';

export const jsonl: Reader = {
  name: 'jsonl',
  title: 'JSON lines, one object a line',
  extensions: ['jsonl', 'ndjson'],
  table: true,
  stream: (inputs, options, sink) => streamTextTables(inputs, options, sink, () => new JsonScanner()),
};
