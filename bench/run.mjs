// npm run bench -- NAME [--rounds N]: runs bench/NAME.mjs and prints its report.
//
// A benchmark exports
//   options?           names of options of its own
//   flags?             names of options of its own that take no value
//   rounds?            how often each variant runs at least (3)
//   prepare(options)   makes its files; what it returns is given to all that follow
//   variants(context)  what is measured: name -> { run(context) => results, stdin?: file }
//   report(medians, context)   the lines to print, from the median of every result of every variant
// Every run of a variant is a fresh process; the variants take turns, so that a busy spell of the machine hits all.
import { spawn } from 'node:child_process';
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { peakBytes } from './memory.mjs';
import { numberOf } from './numbers.mjs';

const LEAST_ROUNDS = 3;
const here = fileURLToPath(import.meta.url);
const folder = new URL('.', import.meta.url);
const known = readdirSync(folder)
  .filter(
    file =>
      file.endsWith('.mjs') && !['run.mjs', 'memory.mjs', 'numbers.mjs', 'shapes.mjs', 'tree-files.mjs'].includes(file),
  )
  .map(file => file.slice(0, -4));

const name = process.argv[2];
if (name === undefined || !existsSync(new URL(`${name}.mjs`, folder))) {
  console.error(`usage: npm run bench -- NAME [--rounds N], with NAME one of: ${known.join(', ')}`);
  process.exit(2);
}
const benchmark = await import(new URL(`${name}.mjs`, folder).href);
const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rounds: { type: 'string' },
    variant: { type: 'string' },
    context: { type: 'string' },
    ...Object.fromEntries((benchmark.options ?? []).map(option => [option, { type: 'string' }])),
    ...Object.fromEntries((benchmark.flags ?? []).map(flag => [flag, { type: 'boolean' }])),
  },
});

if (values.variant === undefined) await main();
else await child(values.variant, JSON.parse(values.context));

async function main() {
  const least = benchmark.rounds ?? LEAST_ROUNDS;
  const rounds = Math.max(least, numberOf(values, 'rounds', least));
  const [cpu] = os.cpus();
  const memory = (os.totalmem() / 2 ** 30).toFixed(0);
  console.log(
    `${cpu.model}, ${os.availableParallelism()} cores, ${memory} GiB, ${os.platform()}, Node ${process.version}`,
  );
  const context = await benchmark.prepare(values);
  const variants = benchmark.variants(context);
  const results = Object.fromEntries(Object.keys(variants).map(variant => [variant, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [variant, { stdin }] of Object.entries(variants)) {
      results[variant].push(await runFresh(variant, context, stdin));
      process.stderr.write(`round ${round + 1} of ${rounds}: ${variant}\n`);
    }
  }
  const medians = Object.fromEntries(Object.entries(results).map(([variant, runs]) => [variant, medianResults(runs)]));
  console.log(`medians of ${rounds} alternating runs in fresh processes`);
  for await (const line of benchmark.report(medians, context)) console.log(line);
}

function runFresh(variant, context, stdin) {
  const run = spawn(process.execPath, [here, name, '--variant', variant, '--context', JSON.stringify(context)], {
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'inherit'],
  });
  if (stdin !== undefined) createReadStream(stdin, { highWaterMark: 1 << 18 }).pipe(run.stdin);
  let out = '';
  run.stdout.on('data', text => {
    out += text;
  });
  return new Promise((resolve, reject) => {
    run.on('close', code => {
      if (code === 0) resolve(JSON.parse(out));
      else reject(new Error(`${variant} ended with code ${code}`));
    });
  });
}

async function child(variant, context) {
  const found = (await benchmark.variants(context)[variant].run(context)) ?? {};
  console.log(JSON.stringify({ ...found, peakBytes: peakBytes() }));
}

function medianResults(runs) {
  return Object.fromEntries(Object.keys(runs[0]).map(name => [name, median(runs.map(run => run[name]))]));
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
