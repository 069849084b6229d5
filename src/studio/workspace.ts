/**
 * What the studio may show: runs right below the given folders, and the data and models that were named. Everything has
 * an id that is made here; no request names a path.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import type { Dataset } from '../data/dataset.js';
import { readDataset } from '../data/read/read-dataset.js';
import { ListwiseError, quote } from '../errors.js';
import { openModel } from '../interop/open-model.js';
import { writeText } from '../io/whole-file.js';
import type { Ranker } from '../models/ranker.js';
import { readForAll } from '../models/read-for.js';
import { scoreDataOnThreads } from '../models/scoring-threads.js';
import { RUN_FILES, type RunFile, runPath } from '../runs/layout.js';
import { RunFolder } from '../runs/run-folder.js';
import { type Mark, marksOf } from './marks.js';

export interface Given {
  /** Run folders, or folders that hold some. */
  readonly folders: readonly string[];
  readonly data: readonly string[];
  readonly models: readonly string[];
}

export interface Named {
  readonly id: string;
  readonly name: string;
  readonly file: string;
}

export interface StudioRun {
  readonly id: string;
  readonly name: string;
  readonly run: RunFolder;
  /** What the command printed with --json; undefined before its end. */
  readonly results: Readonly<Record<string, unknown>> | undefined;
  readonly hasModel: boolean;
  readonly hasReport: boolean;
}

/** A run as it was read, and what its files looked like then. */
interface Kept {
  readonly look: string;
  readonly run: StudioRun;
}

const MARKS = '.listwise-studio.json';

export class Workspace {
  readonly folders: readonly string[];
  readonly data: readonly Named[];
  readonly #models: readonly Named[];
  readonly #runs = new Map<string, Kept>();
  /** By id; a file that has changed is read again. */
  readonly #open = new Map<string, { readonly look: string; readonly value: Promise<unknown> }>();

  private constructor({ folders, data, models }: Given) {
    this.folders = folders;
    this.data = numbered('d', data);
    this.#models = numbered('m', models);
  }

  /** What is named must be there. */
  static async open(given: Given): Promise<Workspace> {
    for (const file of [...given.folders, ...given.data, ...given.models]) {
      await stat(file).catch(() => {
        throw new ListwiseError('file-not-found', 'there is no such file or folder', { file });
      });
    }
    return new Workspace(given);
  }

  /** Every run, the newest first. Only those whose files have changed are read. */
  async runs(): Promise<StudioRun[]> {
    const found = await Promise.all(this.folders.map((folder, f) => this.#runsOf(folder, f)));
    const started = ({ run }: StudioRun) => run.record.times.started;
    return found.flat().sort((a, b) => (started(a) < started(b) ? 1 : -1));
  }

  async run(id: string): Promise<StudioRun> {
    const found = (await this.runs()).find(run => run.id === id);
    if (found === undefined) throw unknown('run', id);
    return found;
  }

  /** A file of a run, as long as it lies in the folder that was given. */
  async fileOf({ run, id }: StudioRun, file: RunFile): Promise<Buffer> {
    const path = run.path(file);
    const [real, folder] = await Promise.all([realpath(path), realpath(this.folders[Number(id.split('/')[0])]!)]).catch(
      () => {
        throw unknown('file', `${id}/${RUN_FILES[file]}`);
      },
    );
    if (!real.startsWith(`${folder}${sep}`)) throw unknown('file', `${id}/${RUN_FILES[file]}`);
    return readFile(real);
  }

  /** Models that were named, then those of runs. */
  async models(runs?: readonly StudioRun[]): Promise<Named[]> {
    const ofRuns = (runs ?? (await this.runs()))
      .filter(({ hasModel }) => hasModel)
      .map(({ id, name, run }) => ({ id: `run/${id}`, name, file: run.path('model') }));
    return [...this.#models, ...ofRuns];
  }

  async modelNamed(id: string): Promise<Named> {
    const found = (await this.models()).find(model => model.id === id);
    if (found === undefined) throw unknown('model', id);
    return found;
  }

  dataNamed(id: string): Named {
    const found = this.data.find(data => data.id === id);
    if (found === undefined) throw unknown('data', id);
    return found;
  }

  async model(id: string): Promise<Ranker> {
    const { file } = await this.modelNamed(id);
    return this.#kept(`model ${id}`, file, () => openModel(file));
  }

  /** The data as the models read it. */
  async dataset(id: string, models: readonly Ranker[] = []): Promise<Dataset> {
    const { file } = this.dataNamed(id);
    const features = [...new Set(models.flatMap(model => model.featureNames))];
    return this.#kept(`data ${id} ${features.join(' ')}`, file, () =>
      readDataset(file, models.length === 0 ? {} : readForAll(models, {})),
    );
  }

  async scores(modelId: string, dataId: string, data: Dataset): Promise<Float64Array> {
    const [model, { file }] = await Promise.all([this.model(modelId), this.modelNamed(modelId)]);
    return this.#kept(`scores ${modelId} ${dataId} ${data.features}`, file, () => scoreDataOnThreads(model, data, 1));
  }

  /** Stars and notes, by run. */
  async marks(): Promise<Record<string, Mark>> {
    const found = await Promise.all(this.folders.map(folder => marksOf(join(folder, MARKS))));
    return Object.fromEntries(
      found.flatMap((marks, f) => Object.entries(marks).map(([name, mark]) => [`${f}/${name}`, mark])),
    );
  }

  async mark(id: string, mark: Mark): Promise<void> {
    const { name } = await this.run(id);
    const file = join(this.folders[Number(id.split('/')[0])]!, MARKS);
    const all = { ...(await marksOf(file)), [name]: mark };
    await writeText(file, sink => sink.write(`${JSON.stringify(all, undefined, 2)}\n`));
  }

  /** Reads once, and again when the file has changed. */
  async #kept<T>(key: string, file: string, read: () => Promise<T>): Promise<T> {
    const look = await lookOf(file);
    const known = this.#open.get(key);
    if (known?.look === look) return known.value as Promise<T>;
    const value = read();
    this.#open.set(key, { look, value });
    value.catch(() => this.#open.delete(key));
    return value;
  }

  async #runsOf(folder: string, f: number): Promise<StudioRun[]> {
    if ((await lookOf(runPath(folder, 'record'))) !== '') {
      const own = await this.#read(folder, `${f}/${basename(folder)}`, basename(folder));
      return own === undefined ? [] : [own];
    }
    // A link leads out of the folder that was given: it is no directory here.
    const entries = (await readdir(folder, { withFileTypes: true })).filter(entry => entry.isDirectory());
    const runs = await Promise.all(entries.map(({ name }) => this.#read(join(folder, name), `${f}/${name}`, name)));
    return runs.filter(run => run !== undefined);
  }

  async #read(directory: string, id: string, name: string): Promise<StudioRun | undefined> {
    const [record, results, model, report] = await Promise.all(
      (['record', 'results', 'model', 'report'] as const).map(file => lookOf(runPath(directory, file))),
    );
    if (record === '') return undefined;
    const look = [record, results, model, report].join(' ');
    const known = this.#runs.get(id);
    // Whether a process is alive is not in its files.
    if (known?.look === look && known.run.run.state !== 'running') return known.run;
    const run = await RunFolder.open(directory).catch(() => undefined);
    if (run === undefined) return undefined;
    const read: StudioRun = {
      id,
      name,
      run,
      results: await run.readResults().catch(() => undefined),
      hasModel: model !== '',
      hasReport: report !== '',
    };
    this.#runs.set(id, { look, run: read });
    return read;
  }
}

function numbered(letter: string, files: readonly string[]): Named[] {
  return files.map((file, i) => ({ id: `${letter}${i}`, name: basename(file), file }));
}

/** Size and time of a file; empty where there is none. */
async function lookOf(file: string): Promise<string> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? '' : `${found.size}:${found.mtimeMs}`;
}

function unknown(what: string, id: string): ListwiseError {
  return new ListwiseError('route-unknown', `there is no ${what} ${quote(id)} here`);
}
