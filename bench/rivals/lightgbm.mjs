// LightGBM's command line.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { importModel } from '../../dist/interop/convert.js';

const folder = join(os.tmpdir(), 'listwise-bench');

/** The binary given, or the one on the PATH; undefined where there is none. */
export function lightgbmBinary(given) {
  const binary = given ?? 'lightgbm';
  return spawnSync(binary, ['--version']).error === undefined ? binary : undefined;
}

/** A CSV file of rows, label first, in queries of so many documents; returns its name. */
export function writeRows(name, rows, documents) {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.csv`);
  writeFileSync(file, `${rows.map(row => row.join(',')).join('\n')}\n`);
  writeFileSync(`${file}.query`, `${documents}\n`.repeat(rows.length / documents));
  return file;
}

/** Trains, or does another task; returns the model, which scores here to the bit as there, its file and the seconds. */
export function runLightgbm(binary, file, settings, features) {
  const model = `${file}.model.txt`;
  const all = { task: 'train', data: file, output_model: model, objective: 'lambdarank', ...settings };
  const words = Object.entries(all).map(([key, value]) => `${key}=${value}`);
  const { stdout, status } = spawnSync(binary, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`lightgbm failed: ${stdout}`);
  const seconds = Number([...stdout.matchAll(/([0-9.]+) seconds elapsed, finished iteration/g)].at(-1)?.[1] ?? 0);
  return { model: importModel(readFileSync(model), { featureSet: features }).model, file: model, seconds };
}
