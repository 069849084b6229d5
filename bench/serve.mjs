// npm run bench -- serve [--onnxruntime PATH] [--seconds N] [--soak SECONDS]
// `listwise serve` under wrk on loopback, two cores shared with the client: 100 documents of 136 features (rows, and
// features by name) and one document, 500 trees of 31 leaves; latency at half that load (an open loop in a process of
// its own), in short rounds that alternate with a server which only reads the body, for what the machine adds; 100 hot
// reloads under load; beside servers with XGBoost (Debian's Python) and with onnxruntime-node (a folder where it is
// installed). Rivals that are not found are named and left out. --soak runs at full load for so long, instead of all
// that, and says by how much memory grew: the median of its last third over that of its first.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shortestFloat32 } from '../dist/data/writers/shortest-float.js';
import { exportModel } from '../dist/interop/convert.js';
import { saveModel } from '../dist/models/model-file.js';
import { TreesModel } from '../dist/models/trees/trees.js';
import { train } from '../dist/training/train.js';
import { numberOf } from './numbers.mjs';
import { dataOf, present, python, rowsOf } from './score.mjs';

export const options = ['onnxruntime', 'seconds', 'soak'];
export const rounds = 1;

const ASKED = { hundred: 1500, one: 10_000, p99: 5, megabytes: 150, times: 2, growth: 5 };
const DOCUMENTS = 100;
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const client = name => fileURLToPath(new URL(`serve/${name}`, import.meta.url));
const rival = name => fileURLToPath(new URL(`rivals/${name}`, import.meta.url));

export async function prepare(given) {
  const folder = mkdtempSync(join(tmpdir(), 'listwise-serve-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const data = dataOf(60, 1);
  const training = { trees: 500, leaves: 31, rate: 0.05, minDocuments: 10, patience: 0 };
  process.stderr.write('training 500 trees of 31 leaves\n');
  const { model } = await train({ data, validate: data, model: 'trees', options: training });
  await saveModel(join(folder, 'model.json'), model);
  await saveModel(join(folder, 'other.json'), model.plus(1));
  const named = new TreesModel({ ...model, featureNames: model.featureNames.map(name => `f${name}`) });
  writeFileSync(join(folder, 'xgboost.json'), exportModel(named, { to: 'xgboost' }).files[0].content);
  writeFileSync(join(folder, 'model.onnx'), exportModel(named, { to: 'onnx' }).files[0].content);
  const width = data.features;
  const rows = rowsOf(dataOf(3, 2), 0, DOCUMENTS);
  // As few digits as name the float32; `wide` has the up to 17 of the same number as a float64.
  const list = Array.from({ length: DOCUMENTS }, (_, i) =>
    Array.from(rows.subarray(i * width, (i + 1) * width), value => Number(shortestFloat32(value))),
  );
  const features = row => Object.fromEntries(row.map((value, f) => [model.featureNames[f], value]));
  const bodies = {
    rows: { rows: list },
    wide: { rows: list.map(row => row.map(value => Math.fround(value))) },
    named: { documents: list.map((row, i) => ({ id: `d${i}`, features: features(row) })) },
    one: { documents: [{ id: 'd', features: features(list[0]) }] },
    oneRow: { rows: [list[0]] },
  };
  for (const [name, body] of Object.entries(bodies)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(body));
    const script = `local f = io.open("${join(folder, name)}.json")\nwrk.method = "POST"\nwrk.body = f:read("*all")\nf:close()\n`;
    writeFileSync(join(folder, `${name}.lua`), script);
  }
  if (!present('wrk', ['-v']) && spawnSync('wrk', ['-v']).error) throw new Error('wrk is not installed');
  const onnxruntime = given.onnxruntime;
  return {
    folder,
    seconds: numberOf(given, 'seconds', 5),
    soak: given.soak === undefined ? 0 : numberOf(given, 'soak', 600),
    rivals: {
      xgboost: present(python, ['-c', 'import xgboost']),
      onnxruntime: onnxruntime !== undefined && existsSync(onnxruntime) ? onnxruntime : false,
    },
  };
}

/** A server that has said where it listens; `stop` ends it. */
async function up(program, args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  let said = '';
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', text => {
      said += text;
      const found = /http:\/\/[\d.]+:\d+/.exec(said)?.[0];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', code => reject(new Error(`the server ended with code ${code}`)));
  });
  return {
    url,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1000,
    stop: () => new Promise(resolve => child.on('exit', resolve) && child.kill()),
  };
}

/** Requests a second, and how many failed. */
async function load({ url }, folder, body, seconds, connections = 8) {
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--latency',
    '-s',
    join(folder, `${body}.lua`),
    `${url}/rank`,
  ];
  const child = spawn('wrk', args);
  let out = '';
  child.stdout.on('data', text => {
    out += text;
  });
  await new Promise(resolve => child.on('close', resolve));
  const failed = Number(/Non-2xx or 3xx responses: (\d+)/.exec(out)?.[1] ?? 0);
  const broken = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(out)?.slice(1) ?? [];
  return {
    rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(out)[1]),
    failed: failed + broken.reduce((sum, n) => sum + Number(n), 0),
  };
}

/** What a client of ours prints. */
async function clientOf(script, { url }, folder, body, ...words) {
  const args = [client(script), url, join(folder, `${body}.json`), ...words.map(String)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', text => {
    out += text;
  });
  const code = await new Promise(resolve => child.on('close', resolve));
  if (code !== 0) throw new Error(`the client ended with code ${code}`);
  return JSON.parse(out);
}

const LATENCY_ROUNDS = 5;
const LATENCY_SECONDS = 2;

/**
 * Milliseconds that 99 of 100 requests take, sent at even times at half the load whether or not earlier ones were
 * answered: a list of rounds for each server and way to give features.
 */
async function latencies(servers, folder) {
  const rounds = new Map();
  let failures = 0;
  for (let round = 0; round < LATENCY_ROUNDS; round++) {
    for (const body of ['rows', 'named']) {
      for (const [name, server] of Object.entries(servers)) {
        const { p99, failed } = await clientOf(
          'open-loop.mjs',
          server,
          folder,
          body,
          ASKED.hundred / 2,
          LATENCY_SECONDS,
        );
        const key = `${name} ${body}`;
        rounds.set(key, [...(rounds.get(key) ?? []), p99]);
        failures += failed;
      }
    }
  }
  return { rounds, failed: failures };
}

/**
 * Megabytes every second while a load is on. They go up and down by 20 with collections, peaks by as much from one to
 * the next, so growth is that of medians over many of them.
 */
async function soaked(server, folder, seconds) {
  await clientOf('closed-loop.mjs', server, folder, 'rows', 30);
  const samples = [];
  const sampling = setInterval(() => samples.push(server.memory()), 1000);
  const found = await clientOf('closed-loop.mjs', server, folder, 'rows', seconds);
  clearInterval(sampling);
  const third = Math.ceil(samples.length / 3);
  const growth = medianOf(samples.slice(-third)) - medianOf(samples.slice(0, third));
  return { ...found, growth, most: Math.max(...samples) };
}

const listwise = (file, ...flags) => up(process.execPath, [main, 'serve', file, '--port', '0', '--quiet', ...flags]);

const medianOf = numbers => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** The median of some rounds, and their least and most, by name. */
function spread(name, rounds) {
  return { [name]: medianOf(rounds), [`${name} least`]: Math.min(...rounds), [`${name} most`]: Math.max(...rounds) };
}

const soaking = {
  async run({ folder, soak }) {
    const server = await listwise(join(folder, 'model.json'));
    const found = await soaked(server, folder, soak);
    await server.stop();
    return found;
  },
};

const ours = {
  async run({ folder, seconds }) {
    const file = join(folder, 'served.json');
    copyFileSync(join(folder, 'model.json'), file);
    const server = await listwise(file, '--watch', '50ms');
    const found = { failed: 0 };
    for (const body of ['rows', 'wide', 'named', 'one', 'oneRow']) {
      const { rate, failed } = await load(server, folder, body, seconds, body.startsWith('one') ? 16 : 8);
      found[body] = rate;
      found.failed += failed;
    }
    found.megabytes = server.memory();
    const bare = await up(process.execPath, [rival('bare-serve.mjs')]);
    const late = await latencies({ ours: server, bare }, folder);
    await bare.stop();
    found.failed += late.failed;
    for (const [name, rounds] of late.rounds) Object.assign(found, spread(name, rounds));
    found.megabytes = Math.max(found.megabytes, server.memory());
    const reloading = load(server, folder, 'rows', 20);
    for (let i = 0; i < 100; i++) {
      copyFileSync(join(folder, i % 2 === 0 ? 'other.json' : 'model.json'), `${file}.new`);
      spawnSync('mv', [`${file}.new`, file]);
      await new Promise(resolve => setTimeout(resolve, 190));
    }
    found.failedReloading = (await reloading).failed;
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    found.reloads = Number(/reloads_total\{model="served",result="loaded"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    await server.stop();
    return found;
  },
};

const other = (program, script, ...args) => ({
  async run({ folder, seconds }) {
    const server = await up(program, [rival(script), folder, ...args]);
    const { rate, failed } = await load(server, folder, 'rows', seconds);
    const one = await load(server, folder, 'oneRow', seconds, 16);
    const megabytes = server.memory();
    await server.stop();
    return { rows: rate, oneRow: one.rate, failed: failed + one.failed, megabytes };
  },
});

export function variants({ rivals, soak }) {
  if (soak > 0) return { listwise: soaking };
  return {
    listwise: ours,
    ...(rivals.xgboost && { XGBoost: other(python, 'xgboost-serve.py') }),
    ...(rivals.onnxruntime && { onnxruntime: other(process.execPath, 'onnxruntime-serve.mjs', rivals.onnxruntime) }),
  };
}

const line = (what, found, asked, met) =>
  `${what.padEnd(58)} ${found.padStart(9)}  asked ${asked}${met ? '' : '  NOT MET'}`;

function soakReport({ answered, failed, stopped, secondsStopped, rate, growth, most }, soak) {
  return [
    line(
      `memory growth in ${soak} s at full load`,
      `${growth.toFixed(1)} MB`,
      `${ASKED.growth} MB`,
      growth < ASKED.growth,
    ),
    line('resident memory at most', `${Math.round(most)} MB`, `${ASKED.megabytes} MB`, most <= ASKED.megabytes),
    line('failed requests', String(failed), '0', failed === 0),
    `${answered} requests answered, ${Math.round(rate)}/s; the client stood still for ${Math.round(secondsStopped)} s, in which ${stopped} requests ended`,
  ];
}

function p99Lines(found) {
  return ['rows', 'named'].map(body => {
    const text = name => `${found[`${name} ${body}`].toFixed(2)} ms`;
    const range = name => `${found[`${name} ${body} least`].toFixed(2)} to ${found[`${name} ${body} most`].toFixed(2)}`;
    const what = `p99 at ${ASKED.hundred / 2}/s, ${body === 'rows' ? body : 'features by name'}`;
    const asked = line(what, text('ours'), `${ASKED.p99} ms`, found[`ours ${body}`] <= ASKED.p99);
    return `${asked} (median of ${LATENCY_ROUNDS} rounds, ${range('ours')}; a server that only reads ${text('bare')}, ${range('bare')})`;
  });
}

export function report(medians, { rivals, soak }) {
  const { listwise, ...others } = medians;
  if (soak > 0) return soakReport(listwise, soak);
  const rate = (what, found, asked) => line(what, `${Math.round(found)}/s`, `${asked}/s`, found >= asked);
  const lines = [
    rate('100 documents, rows', listwise.rows, ASKED.hundred),
    rate('100 documents, rows of up to 17 digits', listwise.wide, ASKED.hundred),
    rate('100 documents, features by name', listwise.named, ASKED.hundred),
    rate('one document, features by name', listwise.one, ASKED.one),
    rate('one document, a row', listwise.oneRow, ASKED.one),
    ...p99Lines(listwise),
    line(
      'resident memory',
      `${Math.round(listwise.megabytes)} MB`,
      `${ASKED.megabytes} MB`,
      listwise.megabytes <= ASKED.megabytes,
    ),
    line(
      `failed requests during ${listwise.reloads} hot reloads`,
      String(listwise.failedReloading),
      '0',
      listwise.failedReloading === 0,
    ),
    line('failed requests otherwise', String(listwise.failed), '0', listwise.failed === 0),
  ];
  for (const [name, found] of Object.entries(others)) {
    const times = listwise.rows / found.rows;
    const ones = listwise.oneRow / found.oneRow;
    lines.push(
      line(
        `${name}: 100 documents ${Math.round(found.rows)}/s, times`,
        times.toFixed(1),
        `${ASKED.times}`,
        times >= ASKED.times,
      ),
      line(
        `${name}: one document ${Math.round(found.oneRow)}/s, times`,
        ones.toFixed(1),
        `${ASKED.times}`,
        ones >= ASKED.times,
      ),
    );
  }
  if (!rivals.xgboost) lines.push('XGBoost: not found, left out');
  if (!rivals.onnxruntime)
    lines.push(
      'onnxruntime-node: not found, left out (--onnxruntime FOLDER, where `npm install onnxruntime-node` was run)',
    );
  return lines;
}
