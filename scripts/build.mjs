// Builds everything into dist/: TypeScript by tsc, kernels by AssemblyScript. No compiler beyond npm packages is needed.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

function run(script, args) {
  const { status } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

/** The file behind one of a package's commands. */
function command(packageName, name) {
  const manifest = require.resolve(`${packageName}/package.json`);
  return join(dirname(manifest), require(manifest).bin[name]);
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
run(command('typescript', 'tsc'), ['-p', 'tsconfig.build.json']);
chmodSync(join(root, 'dist/cli/main.js'), 0o755);

const sources = join(root, 'src/kernels/assembly');
mkdirSync(join(root, 'dist/kernels'), { recursive: true });
for (const file of existsSync(sources) ? readdirSync(sources) : []) {
  if (!file.endsWith('.ts')) continue;
  const name = file.slice(0, -3);
  // A kernel that needs more says so in its first line: `// asc: flags`.
  const own = /^\/\/ asc: (.*)/.exec(readFileSync(join(sources, file), 'utf8'))?.[1]?.split(' ') ?? [];
  // --importMemory: the wrapper owns the memory; --runtime stub: kernels never allocate; simd and bulk-memory are in every
  // Node and browser we support.
  run(command('assemblyscript', 'asc'), [
    join('src/kernels/assembly', file),
    ...['-o', `dist/kernels/${name}.wasm`, '-O3', '--noAssert', '--runtime', 'stub', '--use', 'abort='],
    ...['--importMemory', '--enable', 'simd,bulk-memory'],
    ...own,
  ]);
}
