// Compiles src/kernels/assembly. What kernels and their callers agree on is written once: layouts, in
// src/kernels/layouts, are turned into AssemblyScript before, and what kernels export into TypeScript
// (src/kernels/exports.ts) after. Neither is committed: both follow from what is.
import { createHash } from 'node:crypto';
import {
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
import { join } from 'node:path';
import { importSource } from './import-source.mjs';

const LAYOUTS = 'src/kernels/layouts';
const ASSEMBLY = 'src/kernels/assembly';
const WRITTEN = 'Written by the build (scripts/kernels.mjs); not committed.';

const require = createRequire(import.meta.url);
const { version } = require('assemblyscript/package.json');

/** Writes everything that the TypeScript compiler needs, and the kernels to dist/kernels. */
export async function buildKernels(root) {
  const layouts = await writeLayouts(root);
  const common = join(root, ASSEMBLY, 'common');
  // What kernels import is part of each.
  const imported = [...layouts, ...readdirSync(common).map(file => readFileSync(join(common, file), 'utf8'))];
  mkdirSync(join(root, 'dist/kernels'), { recursive: true });
  const interfaces = [];
  for (const file of readdirSync(join(root, ASSEMBLY)).filter(entry => entry.endsWith('.ts'))) {
    const name = file.slice(0, -3);
    const compiled = await compile(root, name, imported);
    copyFileSync(`${compiled}.wasm`, join(root, `dist/kernels/${name}.wasm`));
    // Kernels that browsers need, too, are modules as well: src/kernels/inlined.ts.
    if (existsSync(join(root, `src/kernels/${name}-bytes.d.ts`))) {
      const base64 = readFileSync(`${compiled}.wasm`).toString('base64');
      writeFileSync(join(root, `dist/kernels/${name}-bytes.js`), `export const base64 = '${base64}';\n`);
    }
    interfaces.push(`  '${name}': {\n${exportsIn(readFileSync(`${compiled}.d.ts`, 'utf8'))}  };\n`);
  }
  const text = `/** What each kernel exports. ${WRITTEN} */\nexport interface KernelExports {\n${interfaces.join('')}}\n`;
  writeFileSync(join(root, 'src/kernels/exports.ts'), text);
}

/** The compiled kernel, without the ends of its file names: .wasm and .d.ts. */
async function compile(root, name, imported) {
  const source = readFileSync(join(root, ASSEMBLY, `${name}.ts`), 'utf8');
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
    '--bindings',
    'raw',
    ...(/^\/\/ asc: (.*)/.exec(source)?.[1].split(' ') ?? []),
  ];
  // Compiling takes seconds a kernel: what was compiled before is taken from a cache that knows source, flags and
  // compiler.
  const key = createHash('sha256')
    .update(JSON.stringify([source, imported, flags, version]))
    .digest('hex');
  const cache = join(root, 'node_modules/.cache/listwise-kernels');
  mkdirSync(cache, { recursive: true });
  const compiled = join(cache, key);
  if (existsSync(`${compiled}.wasm`) && existsSync(`${compiled}.d.ts`)) return compiled;
  const temporary = `${compiled}.${process.pid}`;
  // In this process: the compiler takes longer to get going than to compile a kernel.
  const compiler = await import('assemblyscript/asc');
  const asked = [`${ASSEMBLY}/${name}.ts`, '--baseDir', root, '-o', `${temporary}.wasm`, ...flags];
  const { error, stderr } = await compiler.main(asked);
  if (error) throw new Error(`${name}: ${error.message}\n${stderr}`);
  rmSync(`${temporary}.js`);
  for (const end of ['.d.ts', '.wasm']) renameSync(temporary + end, compiled + end);
  return compiled;
}

/** The functions that the compiler's typings declare, as methods. */
function exportsIn(typings) {
  return [...typings.matchAll(/^ {2}export function (.*;)$/gm)].map(([, signature]) => `    ${signature}\n`).join('');
}

/** Writes the layouts as AssemblyScript; returns their texts. */
async function writeLayouts(root) {
  mkdirSync(join(root, ASSEMBLY, 'layouts'), { recursive: true });
  const texts = [];
  for (const file of readdirSync(join(root, LAYOUTS))) {
    const declared = Object.entries(await importSource(`${LAYOUTS}/${file}`));
    const text = [`// ${WRITTEN}`, ...declared.map(([name, value]) => inAssembly(name, value))].join('\n');
    writeFileSync(join(root, ASSEMBLY, 'layouts', file), `${text}\n`);
    texts.push(text);
  }
  return texts;
}

/** A number is a constant, a list of names an enumeration, a record a class without a header. */
function inAssembly(name, value) {
  if (typeof value === 'number') return `export const ${name}: usize = ${value};`;
  const type = name.toLowerCase().replace(/(?:^|_)(.)/g, (_, first) => first.toUpperCase());
  if (Array.isArray(value)) return `export const enum ${type} { ${value.join(', ')} }`;
  const fields = Object.entries(value.fields).map(([field, own]) => `  ${field}!: ${own};\n`);
  return `export const ${name}_BYTES: usize = ${value.bytes};\n@unmanaged export class ${type} {\n${fields.join('')}}`;
}
