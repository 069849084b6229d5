// Runs the commands that README.md and the pages show, and writes what they print now into the pages.
//   npm run build && node scripts/console.mjs
// test/docs/console.test.ts fails where a page shows something else.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const directory = mkdtempSync(join(tmpdir(), 'listwise-docs-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
// Pages name the ready configs as one does at the root of the project.
cpSync(join(root, 'configs'), join(directory, 'configs'), { recursive: true });

// Pages show UTF-8 without colour, whoever makes them.
const { FORCE_COLOR: _, ...inherited } = process.env;
const env = { ...inherited, LC_ALL: 'C.UTF-8' };

function run(cwd, args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
  return stdout;
}

function listwise(cwd, command) {
  const words = command.match(/'[^']*'|\S+/g).map(word => word.replace(/^'(.*)'$/, '$1'));
  return run(cwd, [join(root, 'dist/cli/main.js'), ...words]);
}

function refresh(page, cwd, more = text => text) {
  const text = readFileSync(join(root, page), 'utf8');
  const fresh = text.replace(
    /(```console\n\$ (?:npx )?listwise ([^\n]+)\n)[\s\S]*?```/g,
    (_, head, command) => `${head}${listwise(cwd, command)}\`\`\``,
  );
  writeFileSync(join(root, page), more(fresh));
}

const examples = join(root, 'docs/examples');
for (const name of ['analyse', 'evaluate', 'compare', 'score']) refresh(`docs/commands/${name}.md`, examples);
const copied = join(directory, 'examples'); // for pages whose commands write files
cpSync(examples, copied, { recursive: true });
for (const name of ['convert', 'convert-data', 'deploy']) refresh(`docs/commands/${name}.md`, copied);
refresh('docs/tables.md', copied);
refresh('docs/from-judgments-to-index.md', join(copied, 'engine'));
for (const name of ['generate', 'train', 'cv', 'tune', 'reproduce']) refresh(`docs/commands/${name}.md`, directory);
for (const name of ['lambda-field', 'shap', 'why']) refresh(`docs/${name}.md`, examples);
for (const name of ['learning-from-clicks', 'local-optimality', 'advise', 'informativeness', 'approximation'])
  refresh(`docs/${name}.md`, directory);
refresh('README.md', directory, text =>
  text
    .replace(/(```js\n([\s\S]*?)```\n\n```text\n)[\s\S]*?```/, (_, head, code) => {
      const file = join(directory, 'readme.mjs');
      writeFileSync(file, code.replace("'listwise'", JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)));
      return `${head}${run(directory, [file])}\`\`\``;
    })
    .replace(/(`npx listwise demo` prints:\n\n```text\n)[\s\S]*?```/, (_, head) => {
      return `${head}${listwise(directory, 'demo').replace(join(directory, '/'), '…/')}\`\`\``;
    }),
);
