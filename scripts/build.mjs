// Builds everything into dist/: TypeScript by tsc, the viewer of reports by esbuild, kernels by AssemblyScript. No
// compiler beyond npm packages is needed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

/** The package's manifest, and the file behind one of its commands. */
function commandOf(packageName, name) {
  const manifest = require.resolve(`${packageName}/package.json`);
  const { bin, version } = require(manifest);
  return { file: join(dirname(manifest), bin[name]), version };
}

function run(script, args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
run(commandOf('typescript', 'tsc').file, ['-p', 'tsconfig.build.json']);
chmodSync(join(root, 'dist/cli/main.js'), 0o755);

// One script and one style sheet, which every report holds.
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { viewer: 'src/report/viewer/main.ts' },
  outdir: 'dist/report',
  bundle: true,
  minify: true,
  format: 'iife',
  target: ['chrome123', 'firefox120', 'safari17.5'],
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
await build({
  absWorkingDir: root,
  entryPoints: { viewer: 'src/report/viewer/style.css' },
  outdir: 'dist/report',
  minify: true,
  logLevel: 'warning',
});
const script = join(root, 'dist/report/viewer.js');
writeFileSync(script, `/*!\n${bundledLicences(metafile)}\n*/\n${readFileSync(script, 'utf8')}`);

/** Names and licences of the packages whose code went into the bundle; equal licences are told once. */
function bundledLicences({ inputs }) {
  const names = Object.keys(inputs).flatMap(file => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? []);
  const byText = new Map();
  for (const name of [...new Set(names)].sort()) {
    const directory = join(root, 'node_modules', name);
    const file = readdirSync(directory).find(entry => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} is bundled and has no licence file`);
    const text = readFileSync(join(directory, file), 'utf8').trim().replaceAll('*/', '* /');
    byText.set(text, [...(byText.get(text) ?? []), name]);
  }
  return [...byText].map(([text, packages]) => `${packages.join(', ')}\n\n${text}`).join('\n\n');
}

const sources = join(root, 'src/kernels/assembly');
const compiler = commandOf('assemblyscript', 'asc');
const cache = join(root, 'node_modules/.cache/listwise-kernels');
mkdirSync(join(root, 'dist/kernels'), { recursive: true });
mkdirSync(cache, { recursive: true });
// What kernels import is part of each.
const common = readdirSync(join(sources, 'common')).map(file => readFileSync(join(sources, 'common', file), 'utf8'));
for (const file of readdirSync(sources)) {
  if (!file.endsWith('.ts')) continue;
  const source = readFileSync(join(sources, file), 'utf8');
  // --importMemory: the wrapper owns the memory; --runtime stub: kernels never allocate; simd and bulk-memory are in
  // every Node and browser we support. A first line `// asc: FLAGS` adds a kernel's own flags.
  const flags = [
    '-O3',
    '--noAssert',
    '--runtime',
    'stub',
    '--use',
    'abort=',
    '--importMemory',
    '--enable',
    'simd,bulk-memory',
    ...(/^\/\/ asc: (.*)/.exec(source)?.[1].split(' ') ?? []),
  ];
  // Compiling takes seconds a kernel: what was compiled before is taken from a cache that knows source, flags and
  // compiler.
  const key = createHash('sha256')
    .update(JSON.stringify([source, common, flags, compiler.version]))
    .digest('hex');
  const compiled = join(cache, `${key}.wasm`);
  if (!existsSync(compiled)) {
    const temporary = `${compiled}.${process.pid}.tmp`;
    run(compiler.file, [join('src/kernels/assembly', file), '-o', temporary, ...flags]);
    renameSync(temporary, compiled);
  }
  const name = file.slice(0, -3);
  copyFileSync(compiled, join(root, `dist/kernels/${name}.wasm`));
  // Kernels that browsers need, too, are modules as well: src/kernels/inlined.ts.
  if (existsSync(join(root, `src/kernels/${name}-bytes.d.ts`))) {
    const base64 = readFileSync(compiled).toString('base64');
    writeFileSync(join(root, `dist/kernels/${name}-bytes.js`), `export const base64 = '${base64}';\n`);
  }
}
