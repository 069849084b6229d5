/** Where `-` is read from: the process's stdin, unless whoever runs the command line says otherwise. */
import type { Readable } from 'node:stream';

let source: () => Readable = () => process.stdin;

export function readStandardInput(from: () => Readable): void {
  source = from;
}

export function standardInput(): Readable {
  return source();
}
