/** What importing the root loads: services and pages of results should not wait for trainers. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const dist = fileURLToPath(new URL('../dist/', import.meta.url));

/** Modules that are loaded with one, by their paths from dist/, and packages. */
function loadedWith(entry: string): { modules: string[]; packages: string[] } {
  const modules = new Set<string>();
  const packages = new Set<string>();
  const visit = (file: string) => {
    if (modules.has(file)) return;
    modules.add(file);
    const imports = readFileSync(file, 'utf8').matchAll(/\b(?:import|export)\b\s*(?:[\w$*,{}\s]*?from\s*)?"([^"]+)"/g);
    for (const [, name] of imports) {
      if (name!.startsWith('.')) visit(resolve(dirname(file), name!));
      else if (!name!.startsWith('node:')) packages.add(name!);
    }
  };
  visit(resolve(dist, entry));
  return { modules: [...modules].map(file => file.slice(dist.length).replaceAll('\\', '/')), packages: [...packages] };
}

it('loads neither trainers nor zod with the root', () => {
  const { modules, packages } = loadedWith('index.js');
  expect(packages).toEqual([]);
  expect(
    modules.filter(file =>
      /^(training\/(?!train\.js|baselines)|tuning|cli|reproduce|interop|data\/readers\/svmlight\/svmlight)/.test(file),
    ),
  ).toEqual([]);
  expect(modules).toContain('training/train.js');
  expect(modules.length).toBeGreaterThan(100);
  expect(modules.length).toBeLessThan(200);
});

it('sees trainers where they are', () => {
  const { modules, packages } = loadedWith('training/index.js');
  expect(modules).toContain('training/boosting/boosting.js');
  expect(packages).toContain('zod');
});
