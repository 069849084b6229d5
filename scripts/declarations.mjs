// Which declarations nobody can import: those that no entry point of the package leads to. Only tests need them.
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Paths from `dist`, for its `.npmignore`. */
export function privateDeclarations(root, { exports }) {
  const reached = new Set();
  const visit = file => {
    if (reached.has(file)) return;
    reached.add(file);
    for (const [, path] of readFileSync(`${root}/${file}`, 'utf8').matchAll(
      /\b(?:from|import)\s*\(?["'](\.[^"']+)\.js["']/g,
    ))
      visit(`${posix.join(posix.dirname(file), path)}.d.ts`);
  };
  for (const { types } of Object.values(exports)) if (types !== undefined) visit(posix.normalize(types));
  return readdirSync(`${root}/dist`, { recursive: true })
    .map(file => file.replaceAll('\\', '/'))
    .filter(file => file.endsWith('.d.ts') && !reached.has(`dist/${file}`))
    .sort();
}
