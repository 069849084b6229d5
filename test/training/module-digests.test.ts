/** A module of the user's is what it holds and what the files hold that it names, however it names them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { moduleDigests } from '#listwise/training/job-fingerprint.js';
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

it('what is no file is passed over', async () => {
  writeFileSync(at('module.mjs'), `const names = ['/dev/zero', './', '../', 'file:', 'file://%zz', './nowhere'];`);
  expect(Object.keys(await moduleDigests([at('module.mjs')]))).toEqual(['module']);
});
