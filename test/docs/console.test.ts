/**
 * What the pages show is what the program prints: every `$ listwise …` of a console block is run, in the order of the
 * page.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { program } from '#listwise/cli/declarations/all.js';
import { examples, run } from '../cli/run.js';
import { temporaryDirectory } from '../temporary.js';

const directory = temporaryDirectory();
/** For pages whose commands write files. */
const copied = join(directory, 'examples');
cpSync(examples, copied, { recursive: true });
cpSync(fileURLToPath(new URL('../../configs', import.meta.url)), join(directory, 'configs'), { recursive: true });

/** Pages and where their commands run. */
const pages: [page: string, cwd: string][] = [
  ['docs/commands/evaluate.md', examples],
  ['docs/commands/compare.md', examples],
  ['docs/commands/score.md', examples],
  ['docs/commands/inspect.md', examples],
  ['docs/commands/convert.md', copied],
  ['docs/commands/convert-data.md', copied],
  ['docs/commands/deploy.md', copied],
  ['docs/tables.md', copied],
  ['docs/commands/train.md', directory],
  ['docs/commands/generate.md', directory],
  ['docs/learning-from-clicks.md', directory],
  ['docs/commands/cv.md', directory],
  ['docs/commands/tune.md', directory],
  ['docs/commands/reproduce.md', directory],
  ['docs/commands/analyse.md', examples],
  ['docs/lambda-field.md', examples],
  ['docs/shap.md', examples],
  ['docs/local-optimality.md', directory],
  ['docs/advise.md', directory],
  ['docs/why.md', examples],
  ['docs/informativeness.md', directory],
  ['docs/approximation.md', directory],
  ['docs/from-judgments-to-index.md', join(copied, 'engine')],
  ['README.md', directory],
];

const read = (page: string) => readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');

/** Durations differ from run to run. */
const steady = (text: string) => text.replace(/\d+ s\)/g, '… s)');

describe.each(pages)('%s', (page, cwd) => {
  const blocks = [...read(page).matchAll(/```console\n\$ (?:npx )?listwise ([^\n]+)\n([\s\S]*?)```/g)].map(
    ([, command, output]) => [command!, output!] as const,
  );

  it('shows commands', () => expect(blocks.length).toBeGreaterThan(1));

  it.each(blocks)('%s', async (command, output) => {
    const words = command.match(/'[^']*'|\S+/g)!.map(word => word.replace(/^'(.*)'$/, '$1'));
    expect(steady((await run(words, { cwd })).stdout)).toBe(steady(output));
  });
});

/** All is said of these where they are mentioned. */
const withoutPage = ['demo', 'completion'];

it.each(program.found.members.map(({ name }) => name).filter(name => !withoutPage.includes(name)))(
  'the command %s has a page',
  name => expect(existsSync(new URL(`../../docs/commands/${name}.md`, import.meta.url))).toBe(true),
);

describe('README.md', () => {
  const readme = read('README.md');

  it('shows what its lines of code print', () => {
    const [, code, output] = /```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/.exec(readme)!;
    const library = new URL('../../dist/index.js', import.meta.url).href;
    const file = join(directory, 'readme.mjs');
    writeFileSync(file, code!.replace("'listwise'", JSON.stringify(library)));
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toBe(output);
  });

  it('shows what the demo prints', async () => {
    const [, output] = /`npx listwise demo` prints:\n\n```text\n([\s\S]*?)```/.exec(readme)!;
    const { stdout } = await run(['demo'], { cwd: directory });
    expect(stdout.replace(join(directory, '/'), '…/')).toBe(output);
  });

  it.each(program.found.members.map(({ name }) => name))('names the command %s', name => {
    expect(readme).toMatch(new RegExp(`^\\| (\\[)?\`${name}\``, 'm'));
  });
});
