/** A module of the user's is what it holds and what the files hold that it names, however it names them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { moduleDigests } from '#listwise/training/module-digests.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
const at = (name: string) => join(directory, name);

it.each([
  ['a path', `import { one } from './helper.mjs';`, 'helper.mjs'],
  ['a path over another module', `export * from "./between.mjs";`, 'helper.mjs'],
  ['import()', 'const one = await import(`./helper.mjs`);', 'helper.mjs'],
  ['a query', `import { one } from './helper.mjs?x=1#y';`, 'helper.mjs'],
  ['an address', `import { one } from '${pathToFileURL(at('helper.mjs')).href}?x';`, 'helper.mjs'],
  ['an absolute path', `import { one } from ${JSON.stringify(at('helper.mjs'))};`, 'helper.mjs'],
  ['a name with a space', `import { one } from './a%20helper.mjs';`, 'a helper.mjs'],
  ['createRequire', `const load = createRequire(import.meta.url);\nconst { one } = load('./common');`, 'common.cjs'],
  ['a folder', `const { one } = require('../${directory.split(/[\\/]/).at(-1)}/folder.json');`, 'folder.json'],
  ['a file that it reads', `const one = readFileSync(new URL('./one.txt', import.meta.url), 'utf8');`, 'one.txt'],
  ['a name beside it', `const one = readFileSync(new URL('one.txt', import.meta.url));`, 'one.txt'],
  ['a name behind its folder', `readFileSync(join(import.meta.dirname, 'one.txt'), 'utf8')`, 'one.txt'],
  ['a path in parts', `resolve(__dirname, '..', "${directory.split(/[\\/]/).at(-1)}", 'one.txt')`, 'one.txt'],
  ['a name below it', `new URL(\n  "one.txt?x",\n  import.meta.url,\n)`, 'one.txt'],
])('by %s', async (_, source, helper) => {
  writeFileSync(at('between.mjs'), `export { one } from './helper.mjs';`);
  writeFileSync(at('module.mjs'), source);
  writeFileSync(at(helper), '1');
  const before = await moduleDigests([at('module.mjs')]);
  expect(await moduleDigests([at('module.mjs')])).toEqual(before);
  writeFileSync(at(helper), '2');
  expect(await moduleDigests([at('module.mjs')])).not.toEqual(before);
});

/** A package with its parts, as npm installs it. */
function install(name: string, manifest: object, files: readonly string[]): void {
  const folder = at(join('node_modules', name));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `// ${file}`);
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}

it.each([
  ['main', `import one from 'plain';`, 'plain', { main: 'lib/main' }, 'lib/main.js'],
  ['index.js', `import 'plain-index'`, 'plain-index', {}, 'index.js'],
  ['a scope', `export * from "@scope/one";`, '@scope/one', { main: './one.cjs' }, 'one.cjs'],
  ['a part', `const part = await import('parts/deep/part.js');`, 'parts', {}, 'deep/part.js'],
  ['what only `import` takes', `import 'modern';`, 'modern', { exports: { import: './m.mjs' } }, 'm.mjs'],
  ['a pattern', `load('patterns/x')`, 'patterns', { exports: { './*': './lib/*.cjs' } }, 'lib/x.cjs'],
  ['a pattern that only `import` takes', `import 'p/x'`, 'p', { exports: { './*': { import: './s/*.js' } } }, 's/x.js'],
  ['its version', `import 'versioned';`, 'versioned', { version: '1.0.0' }, 'package.json'],
])('by the name of a package: %s', async (_, source, name, manifest, changed) => {
  install(name, manifest, changed === 'package.json' ? ['index.js'] : [changed]);
  writeFileSync(at('module.mjs'), source);
  const before = await moduleDigests([at('module.mjs')]);
  expect(Object.keys(before)).toEqual(['module', `package ${name}`]);
  writeFileSync(at(join('node_modules', name, changed)), '{"version":"2"}');
  const after = await moduleDigests([at('module.mjs')]);
  expect(after.module).toBe(before.module);
  expect(after[`package ${name}`]).not.toBe(before[`package ${name}`]);
});

it('by packages that packages use, the nearest of each name', async () => {
  install('upper', {}, ['index.js']);
  install('lower', {}, ['index.js']);
  install('upper/node_modules/lower', {}, ['index.js']);
  writeFileSync(at('node_modules/upper/index.js'), `require('lower')`);
  writeFileSync(at('module.mjs'), `import 'upper';`);
  const before = await moduleDigests([at('module.mjs')]);
  expect(Object.keys(before)).toEqual(['module', 'package upper', 'package lower']);
  writeFileSync(at('node_modules/lower/index.js'), 'not used');
  expect(await moduleDigests([at('module.mjs')])).toEqual(before);
  writeFileSync(at('node_modules/upper/node_modules/lower/index.js'), 'used');
  const after = await moduleDigests([at('module.mjs')]);
  expect(after).toEqual({ ...before, 'package lower': after['package lower'] });
  expect(after).not.toEqual(before);
});

it('by a name of its own package', async () => {
  writeFileSync(at('package.json'), JSON.stringify({ imports: { '#inner': { import: './inner.mjs' } } }));
  writeFileSync(at('inner.mjs'), '1');
  writeFileSync(at('module.mjs'), `import '#inner';`);
  const before = await moduleDigests([at('module.mjs')]);
  writeFileSync(at('inner.mjs'), '2');
  expect(await moduleDigests([at('module.mjs')])).not.toEqual(before);
});

it('by a name from the working directory', async () => {
  writeFileSync(at('terms.txt'), '1');
  writeFileSync(at('module.mjs'), `readFileSync(${JSON.stringify(relative('.', at('terms.txt')))}, 'utf8')`);
  const before = await moduleDigests([at('module.mjs')]);
  writeFileSync(at('terms.txt'), '2');
  expect(await moduleDigests([at('module.mjs')])).not.toEqual(before);
});

it('parts of Node and this package, which have versions, are passed over, and what the system makes up', async () => {
  const source = `import 'fs'; import 'node:fs'; import 'listwise'; import 'nowhere'; readFileSync('/proc/uptime')`;
  writeFileSync(at('module.mjs'), source);
  const before = await moduleDigests([at('module.mjs')]);
  expect(Object.keys(before)).toEqual(['module']);
  await new Promise(resolve => setTimeout(resolve, 30));
  expect(await moduleDigests([at('module.mjs')])).toEqual(before);
});

it('what is no file is passed over', async () => {
  writeFileSync(at('module.mjs'), `const names = ['/dev/zero', './', '../', 'file:', 'file://%zz', './nowhere'];`);
  expect(Object.keys(await moduleDigests([at('module.mjs')]))).toEqual(['module']);
});
