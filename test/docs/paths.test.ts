/** Files that pages and comments name are there: a file that moves takes its mentions with it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const pagesOfRoot = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];
const folders = ['docs', 'examples', 'experiments', 'src', 'test', 'bench', 'scripts'];
const files = [...pagesOfRoot, ...folders.flatMap(filesOf)];

function filesOf(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  const found = entries.filter(entry => entry.isFile() && /\.(md|ts|mjs|py)$/.test(entry.name));
  return found.map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'));
}

/** Paths from the root of the project, as a page or a comment writes them; NAME stands for any. */
const mention =
  /(?<![\w./-])(?:src|test|docs|bench|scripts|configs)\/(?:[\w-]+\/)*[\w-]+(?:\.[\w-]+)*\.(?:tsx?|mjs|json|md|py)\b/g;

/** Where a link of a page leads, without its anchor. */
const link = /\]\((?!https?:)([^)#\s]+)/g;

describe('every path named is there', () => {
  it.each([...pagesOfRoot, ...folders])('in %s', under => {
    const named = files.filter(file => file === under || file.startsWith(`${under}/`));
    expect(named.length).toBeGreaterThan(0);
    const missing = named.flatMap(file => {
      const paths = readFileSync(join(root, file), 'utf8').match(mention) ?? [];
      return paths
        .filter(path => !/\bNAME\b/.test(path) && !existsSync(join(root, path)))
        .map(path => `${file}: ${path}`);
    });
    expect(missing).toEqual([]);
  });
});

it('every link of a page leads to a file', () => {
  const pages = files.filter(file => file.endsWith('.md'));
  const broken = pages.flatMap(page =>
    [...readFileSync(join(root, page), 'utf8').matchAll(link)]
      .map(([, target]) => target!)
      .filter(target => !existsSync(join(root, dirname(page), target)))
      .map(target => `${page}: ${target}`),
  );
  expect(broken).toEqual([]);
});

it('the list of decisions has all of them', () => {
  const decisions = files.filter(file => /^docs\/decisions\/(?!README)/.test(file));
  const index = readFileSync(join(root, 'docs/decisions/README.md'), 'utf8');
  expect(decisions.filter(file => !index.includes(`](${file.slice('docs/decisions/'.length)})`))).toEqual([]);
});
