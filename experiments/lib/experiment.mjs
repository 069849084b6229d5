// What every experiment shares: scales from its config.json, result.json, and the table of its README, written from the result.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '../..');
const marks = ['<!-- table: written by run.mjs -->', '<!-- end of table -->'];

/** The folder of an experiment, from the address of its run.mjs. */
function folderOf(url) {
  return dirname(fileURLToPath(url));
}

function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** What an experiment does at a scale: `tiny` takes seconds, `small` minutes. */
export function configOf(url, scale) {
  const scales = readJson(join(folderOf(url), 'config.json'));
  if (!Object.hasOwn(scales, scale)) {
    throw new RangeError(`--scale is one of ${Object.keys(scales).join(', ')}, found "${scale}"`);
  }
  return scales[scale];
}

/** The result that is kept in the folder. */
export function keptResult(url) {
  return readJson(join(folderOf(url), 'result.json'));
}

/** The table in the folder's README. */
export function keptTable(url) {
  const text = readFileSync(join(folderOf(url), 'README.md'), 'utf8');
  const [from, to] = tableEnds(text);
  return text.slice(from, to).trim();
}

function tableEnds(text) {
  const [from, to] = [text.indexOf(marks[0]) + marks[0].length, text.indexOf(marks[1])];
  if (!text.includes(marks[0]) || to < from) throw new Error(`the README lacks ${marks.join(' … ')}`);
  return [from, to];
}

function writeTable(url, table) {
  const file = join(folderOf(url), 'README.md');
  const text = readFileSync(file, 'utf8');
  const [from, to] = tableEnds(text);
  writeFileSync(file, `${text.slice(0, from)}\n\n${table}\n\n${text.slice(to)}`);
}

/**
 * Runs an experiment whose file was started as a command, does nothing where it was imported.
 *   --scale NAME  a key of config.json (default small)
 *   --seed N      (default 1)
 *   --keep        write result.json and the README's table
 *   --resume      keep the cases that result.json has already, where the experiment is made of cases
 *   --table       write the table again from result.json, without a run
 */
export async function asCommand(url, { run, table }) {
  if (process.argv[1] !== fileURLToPath(url)) return;
  const { values } = parseArgs({
    options: {
      scale: { type: 'string', default: 'small' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'boolean', default: false },
      resume: { type: 'boolean', default: false },
      table: { type: 'boolean', default: false },
    },
  });
  if (values.table) return writeTable(url, table(keptResult(url)));
  const started = performance.now();
  const seed = Number(values.seed);
  const config = configOf(url, values.scale);
  const kept = values.resume ? keptResult(url) : undefined;
  const outcome = await run({ config, seed, kept, note: text => console.error(text) });
  if (outcome === undefined) return;
  const result = {
    scale: values.scale,
    seed,
    version: readJson(join(root, 'package.json')).version,
    // The only part that differs between two runs.
    run: {
      date: new Date().toISOString().slice(0, 10),
      // Of a run in one go.
      seconds: kept === undefined ? Math.round((performance.now() - started) / 1000) : undefined,
      machine: `${cpus().length} x ${cpus()[0].model}, Node ${process.versions.node}`,
    },
    ...outcome,
  };
  console.log(table(result));
  if (!values.keep) return;
  writeFileSync(join(folderOf(url), 'result.json'), `${JSON.stringify(result, undefined, 2)}\n`);
  writeTable(url, table(result));
}

/** A Markdown table; the first column is text, the others are right-aligned. */
export function markdownTable(header, rows) {
  const line = cells => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, i) => (i === 0 ? '---' : '--:'));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
