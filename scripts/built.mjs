/**
 * Whether a build would change anything: what it reads and what it wrote are compared by their content with what the
 * last one read and wrote.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const WRITTEN = ['dist', 'src/kernels/assembly/layouts', 'src/kernels/exports.ts'];
/** The hidden lock file says which compilers are installed. */
const READ = [
  'src',
  'scripts',
  'package.json',
  'tsconfig.base.json',
  'tsconfig.build.json',
  'node_modules/.package-lock.json',
];
const RECORD = 'node_modules/.cache/listwise-build.json';

export function sourcesOf(root) {
  return digest(root, READ, file => !WRITTEN.some(written => file === written || file.startsWith(`${written}/`)));
}

export function isBuilt(root, sources) {
  const record = join(root, RECORD);
  if (!existsSync(record)) return false;
  const last = JSON.parse(readFileSync(record, 'utf8'));
  return last.sources === sources && last.written === digest(root, WRITTEN);
}

/** `sources` are those from before the build: what changed during it counts as changed after it. */
export function recordBuild(root, sources) {
  const record = join(root, RECORD);
  mkdirSync(dirname(record), { recursive: true });
  writeFileSync(record, JSON.stringify({ sources, written: digest(root, WRITTEN) }));
}

function digest(root, places, counts = () => true) {
  const hash = createHash('sha256').update(process.version);
  for (const file of places.flatMap(place => filesIn(root, place)).filter(counts)) {
    const content = readFileSync(join(root, file));
    hash.update(`\n${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function filesIn(root, place) {
  const path = join(root, place);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [place];
  return readdirSync(path)
    .sort()
    .flatMap(name => filesIn(root, `${place}/${name}`));
}
