/** A command line loads what it needs: start-up is quick, and help needs no work. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../temporary.js';

const dist = new URL('../../dist/', import.meta.url);
const directory = temporaryDirectory();
const hooks = join(directory, 'hooks.mjs');
const register = join(directory, 'register.mjs');
writeFileSync(
  hooks,
  `import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  writeSync(2, \`loads \${url}\\n\`);
  return next(url, context);
}`,
);
writeFileSync(
  register,
  `import { register } from 'node:module'; register(${JSON.stringify(pathToFileURL(hooks).href)});`,
);

/** The modules that a command line loads: paths in dist, or packages. */
function loaded(...args: string[]): string[] {
  const main = fileURLToPath(new URL('cli/main.js', dist));
  const { stderr, status } = spawnSync(process.execPath, ['--import', pathToFileURL(register).href, main, ...args], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return Array.from(stderr.matchAll(/^loads (file:.*)$/gm), ([, url = '']) =>
    url.replace(dist.href, '').replace(/.*\/node_modules\//, 'node_modules/'),
  );
}

it.each([['--version'], ['-v'], ['--help'], ['analyse', '--help']])('%s %s loads next to nothing', (...args) => {
  const modules = loaded(...args);
  expect(modules).toContain('cli/run.js');
  expect(modules.length).toBeLessThan(40);
  expect(
    modules.filter(
      name =>
        !/^(cli|io)\/|^ranks\/(gathered|launcher|transport)\.js$|^(errors|version)\.js$|^report\/(words|render\/(screen|paragraph))\.js$/.test(
          name,
        ),
    ),
  ).toEqual([]);
});

describe.each(['train', 'evaluate', 'compare', 'score', 'cv', 'tune', 'inspect', 'generate'])('%s --help', name => {
  it('loads no work: no readers, pages, formats of models or experiments', () => {
    const modules = loaded(name, '--help');
    expect(modules).toContain(`cli/declarations/${name}.js`);
    expect(
      modules.filter(path =>
        /^(report\/.*page|interop|reproduce|runs|cli\/(commands|settings))|^data\/read\/read\.js|@duckdb/.test(path),
      ),
    ).toEqual([]);
  });
});
