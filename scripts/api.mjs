// The reference of what each entry point exports, from the declarations that tsc wrote to dist/: what programs compile
// against, with their comments. Ours, since TypeDoc and API Extractor need the compiler's old programming interface,
// which TypeScript 7 does not have; tsc prints declarations so plainly that a statement is seen by its first column.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Entry points by the name of their page, as package.json lists them. */
export function entryPoints(root) {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.entries(exports).flatMap(([path, target]) =>
    target.types === undefined
      ? []
      : [
          {
            module: join('listwise', path).replaceAll('\\', '/'),
            page: path.slice(2) || 'listwise',
            file: join(root, target.types),
          },
        ],
  );
}

/** Everything that an entry point exports: name, comment, declaration. */
export function exportsOf(file) {
  const found = readFileSync(file, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)';/gm);
  const again = [...found].flatMap(([, list, from]) => {
    const target = resolve(dirname(file), from.replace(/\.js$/, '.d.ts'));
    const names = list
      .split(',')
      .map(part => part.trim().replace(/^type /, ''))
      .filter(Boolean);
    return names.map(part => {
      const [local, name = local] = part.split(' as ');
      const found = statementsOf(target).filter(statement => statement.name === local);
      if (found.length === 0) throw new Error(`${target} does not declare ${local}`);
      return { ...found[0], name, text: found.map(({ text }) => text).join('\n') };
    });
  });
  const own = statementsOf(file).filter(({ text }) => text.startsWith('export '));
  return [...again, ...own].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

const known = new Map();

/** The declarations of a file with the comments above them. */
function statementsOf(file) {
  if (known.has(file)) return known.get(file);
  const statements = [];
  let comment = '';
  let lines = [];
  let depth = 0;
  let inComment = false;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (lines.length === 0 && (inComment || line.startsWith('/**'))) {
      comment = inComment ? `${comment}\n${line}` : line;
      inComment = !line.includes('*/');
      continue;
    }
    if (lines.length === 0 && !/^(export )?(declare |interface |type |abstract )/.test(line)) {
      // The comment above imports is the file's.
      if (line !== '') comment = '';
      continue;
    }
    lines.push(line);
    const code = line.replaceAll(/\/\*.*?\*\/|'[^']*'|"[^"]*"/g, '');
    if (!/^\s*(\*|\/\*)/.test(line)) for (const c of code) depth += '{(['.includes(c) ? 1 : '})]'.includes(c) ? -1 : 0;
    if (depth > 0 || !/[;}]$/.test(line)) continue;
    const text = lines.join('\n');
    const [, kind, name] =
      /(?:declare |export |abstract |async )*(function|class|interface|type|const|let) ([\w$]+)/.exec(text) ?? [];
    if (name !== undefined) statements.push({ name, kind, text, ...commentParts(comment) });
    comment = '';
    lines = [];
  }
  known.set(file, statements);
  return statements;
}

/** What a comment says, and its examples. */
function commentParts(comment) {
  const text = comment
    .replace(/^\/\*\*/, '')
    .replace(/\*\/\s*$/, '')
    .split('\n')
    .map(line => line.replace(/^\s*\* ?/, ''))
    .join('\n');
  const [said, ...examples] = text.split(/^\s*@example\s*$/m);
  return { said: paragraphs(said), examples: examples.map(example => example.trim()) };
}

/** Lines of a paragraph joined; lists and formulae, which are indented, as they are. */
function paragraphs(text) {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map(part => (/^( {4}|[-*] )/m.test(part) ? part : part.replaceAll(/\s*\n\s*/g, ' ')))
    .join('\n\n')
    .trim();
}

/** Tables of records have types of hundreds of lines, which say nothing to people. */
const MOST_LINES = 60;

function signature({ kind, name, text }) {
  const plain = text
    .replaceAll(/^(export )?declare /gm, '')
    .replaceAll(/^export /gm, '')
    .replaceAll(/^ {4}#private;\n/gm, '');
  return kind === 'const' && plain.split('\n').length > MOST_LINES ? `const ${name}: …` : plain;
}

const fence = text => `\`\`\`ts\n${text}\n\`\`\``;

export function renderPage({ module, file }, note) {
  const all = exportsOf(file);
  // Headings that differ in case alone are numbered by those who draw pages.
  const anchors = all.map(({ name }, i) => {
    const before = all.slice(0, i).filter(other => other.name.toLowerCase() === name.toLowerCase()).length;
    return `#${name.toLowerCase()}${before === 0 ? '' : `-${before}`}`;
  });
  const group = (title, kinds) => {
    const names = all.flatMap(({ kind, name }, i) => (kinds.includes(kind) ? [`[${name}](${anchors[i]})`] : []));
    return names.length === 0 ? [] : [`${title}: ${names.join(', ')}.`];
  };
  return `${[
    `# \`${module}\``,
    note,
    'In examples `data`, `validate` and `test` are data sets, `model` is a model, `scores` are one a document; `systems`, `folds`, `space` and `origin` are as the types say.',
    ...group('Functions', ['function']),
    ...group('Classes', ['class']),
    ...group('Values', ['const', 'let']),
    ...group('Types', ['interface', 'type']),
    ...all.flatMap(one => [`## ${one.name}`, one.said, ...one.examples.map(fence), details(one)].filter(Boolean)),
  ].join('\n\n')}\n`;
}

/** Functions are short; the members of the others are folded. */
function details(one) {
  const text = fence(signature(one));
  return one.kind === 'function' ? text : `<details><summary>Declaration</summary>\n\n${text}\n\n</details>`;
}

export function renderIndex(points, note) {
  const lines = points.map(
    ({ module, page, file }) => `- [\`${module}\`](${page}.md): ${count(exportsOf(file).length)}`,
  );
  return `${['# API', note, 'What programs import, by entry point. Each export has an example, which the tests compile.', lines.join('\n')].join('\n\n')}\n`;
}

const count = n => `${n} exports`;
