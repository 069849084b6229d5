/** The page of the studio, its scripts and its styles. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

export const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>listwise studio</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/viewer.css">
<link rel="stylesheet" href="/app.css">
</head>
<body>
<header><h1><a href="#/runs">listwise studio</a></h1></header>
<main></main>
<script src="/viewer.js"></script>
<script src="/app.js"></script>
</body>
</html>
`;

const packaged = (path: string) => readFileSync(new URL(path, import.meta.url));

/** A map has no names that nobody put there. */
const files: ReadonlyMap<string, () => string> = new Map(
  Object.entries({
    'viewer.js': () => brotliDecompressSync(packaged('../report/viewer.js.br')).toString(),
    'viewer.css': () => packaged('../report/viewer.css').toString(),
    'app.js': () => packaged('./app.js').toString(),
    'app.css': () => packaged('./app.css').toString(),
  }),
);

const read = new Map<string, string>();

/** Read, and unpacked, when it is first asked for. */
export function ownFile(name: string): { readonly text: string; readonly type: string } | undefined {
  const text = read.get(name) ?? files.get(name)?.();
  if (text === undefined) return undefined;
  read.set(name, text);
  return { text, type: `${name.endsWith('.js') ? 'text/javascript' : 'text/css'}; charset=utf-8` };
}
