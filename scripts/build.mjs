// Builds everything into dist/: TypeScript by tsc, the viewer of reports by esbuild, kernels by AssemblyScript. No
// compiler beyond npm packages is needed. Does nothing where dist/ is what it would write.
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import { isBuilt, recordBuild, sourcesOf } from './built.mjs';
import { privateDeclarations } from './declarations.mjs';
import { buildKernels } from './kernels.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);
const TARGETS = ['chrome123', 'firefox120', 'safari17.5'];

const sources = sourcesOf(root);
if (isBuilt(root, sources)) process.exit();

rmSync(join(root, 'dist'), { recursive: true, force: true });
await buildKernels(root);
const manifest = require.resolve('typescript/package.json');
const compiler = join(dirname(manifest), require(manifest).bin.tsc);
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

// Comments are in the sources and, for users of the library, in the declarations. Names stay as they are, and lines
// stay short enough for a stack trace to be of use.
await build({
  absWorkingDir: root,
  entryPoints: ['dist/**/*.js'],
  outdir: 'dist',
  outbase: 'dist',
  allowOverwrite: true,
  target: 'node20.19',
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  legalComments: 'none',
  tsconfigRaw: {},
  logLevel: 'warning',
});
chmodSync(join(root, 'dist/cli/main.js'), 0o755);
const unreachable = privateDeclarations(root, require('../package.json'));
writeFileSync(join(root, 'dist/.npmignore'), unreachable.map(file => `/${file}\n`).join(''));

// One script and one style sheet, which every report holds.
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: { viewer: 'src/report/viewer/main.ts' },
  outdir: 'dist/report',
  bundle: true,
  minify: true,
  format: 'iife',
  target: TARGETS,
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
/** The viewer's script is on the page already: what it shares is taken from there. */
const piecesOfViewer = {
  name: 'pieces of the viewer',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/viewer\/pieces\.js$/ }, () => ({ path: 'pieces', namespace: 'viewer' }));
    onLoad({ filter: /./, namespace: 'viewer' }, () => ({ contents: 'module.exports = window.listwise;' }));
  },
};
// The page of the studio draws with the same script, and adds what it does itself.
await build({
  absWorkingDir: root,
  entryPoints: { app: 'src/studio/app/main.ts', 'app-style': 'src/studio/app/style.css' },
  outdir: 'dist/studio',
  entryNames: '[name]',
  bundle: true,
  minify: true,
  format: 'iife',
  target: TARGETS,
  plugins: [piecesOfViewer],
  legalComments: 'none',
  logLevel: 'warning',
});
renameSync(join(root, 'dist/studio/app-style.css'), join(root, 'dist/studio/app.css'));
const script = join(root, 'dist/report/viewer.js');
const viewer = `/*!\n${bundledLicences(metafile)}\n*/\n${readFileSync(script, 'utf8')}`;
// A seventh of the package: brotli makes it 15 % smaller than the tarball would.
writeFileSync(`${script}.br`, brotliCompressSync(viewer));
rmSync(script);
recordBuild(root, sources);

/** Names and licences of the packages whose code went into the bundle; equal licences are listed once. */
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
