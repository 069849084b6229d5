// Packs the package as npm would publish it, and checks what is in it: its size, its entry points and their types, and
// that nothing in it points to a file that is not there.
//   npm run build && node scripts/package.mjs
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const root = fileURLToPath(new URL('..', import.meta.url));
const LARGEST = 1_160_000; // bytes; kernels, the studio and the server are most of it

/** The bytes of the tarball. */
function pack() {
  const folder = mkdtempSync(join(tmpdir(), 'listwise-pack-'));
  try {
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', `"${folder}"`];
    const { stdout, stderr, status } = spawnSync(`npm ${args.join(' ')}`, { cwd: root, encoding: 'utf8', shell: true });
    if (status !== 0) throw new Error(stderr);
    return readFileSync(join(folder, JSON.parse(stdout)[0].filename));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Links of pages, imports, and addresses relative to a module. */
const POINTERS = {
  md: [/\]\((?!https?:|#)([^)#\s]+)/g],
  js: [/\b(?:from|import)\s*\(?["'](\.[^"']+)["']/g, /new URL\(["'`](\.[^"'`$]+)["'`],\s*import\.meta\.url/g],
  ts: [/\b(?:from|import)\s*\(?["'](\.[^"']+)["']/g],
};

/** Where a file of the package points to one that is not in it. `files` maps paths in the package to texts. */
export function strayPointers(files) {
  const has = path => files.has(path) || files.has(path.replace(/\.js$/, '.d.ts')) || isFolder(path);
  const isFolder = path => [...files.keys()].some(file => file.startsWith(`${path.replace(/\/$/, '')}/`));
  return [...files].flatMap(([file, text]) => {
    const targets = (POINTERS[file.split('.').at(-1)] ?? []).flatMap(pattern =>
      [...text.replaceAll('\\\n', '').matchAll(pattern)].map(([, target]) => target),
    );
    const stray = targets.filter(target => !has(posix.join(posix.dirname(file), target)));
    const map = /^\/\/# sourceMappingURL=(?!data:)(\S+)/m.exec(text)?.[1];
    if (map !== undefined && !has(posix.join(posix.dirname(file), map))) stray.push(map);
    return stray.map(target => `${file} points to ${target}, which is not in the package`);
  });
}

async function main() {
  const bytes = pack();
  const tarball = new Uint8Array(bytes);
  const contents = createPackageFromTarballData(tarball);
  const prefix = `/node_modules/${contents.packageName}/`;
  const files = new Map(contents.listFiles().map(path => [path.slice(prefix.length), contents.readFile(path)]));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: tarball.buffer } });
  // All are ES modules, which `require` loads from Node 20.19 on; "node10" knows no entry points but the root.
  const { problems } = await checkPackage(contents, { excludeEntrypoints: ['./package.json'] });
  const faults = [
    ...(bytes.length > LARGEST ? [`the tarball has ${bytes.length} bytes, more than ${LARGEST}`] : []),
    ...strayPointers(files),
    ...messages.map(message => `publint: ${formatMessage(message, pkg)}`),
    ...problems
      .filter(({ kind, resolutionKind }) => resolutionKind !== 'node10' && kind !== 'CJSResolvesToESM')
      .map(problem => `types: ${JSON.stringify(problem)}`),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exit(1);
  console.log(`the package: ${files.size} files, ${(bytes.length / 1e6).toFixed(3)} MB packed`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
