/**
 * What the studio may show: runs right below the given folders, the data and models that were named, and what was
 * trained here. Everything has an id that is made here; no request names a path.
 */
import { realpath, stat } from 'node:fs/promises';
import { basename, sep } from 'node:path';
import type { Dataset } from '../data/dataset.js';
import { fingerprint } from '../data/fingerprint.js';
import { filesOf } from '../data/read/files-of.js';
import { readDataset } from '../data/read/read-dataset.js';
import { readExactly } from '../data/read/read-exactly.js';
import type { ReadOptions } from '../data/readers/reader.js';
import { ListwiseError } from '../errors.js';
import { openModel } from '../interop/open-model.js';
import type { Ranker } from '../models/ranker.js';
import { readFor, readForAll } from '../models/read-for.js';
import { scoreDataOnThreads } from '../models/scoring-threads.js';
import type { RunFolder } from '../runs/run-folder.js';
import { commandLine } from './command-line.js';
import { type Identified, identified, withId } from './ids.js';
import { KeptFiles } from './kept-files.js';
import { RunList, type StudioRun, unknown } from './run-list.js';
import { readTitles } from './titles.js';
import { trainCommand } from './train-command.js';
import { OF_TRAINING, Trainings } from './trainings.js';

/** Data that is kept in memory, each as some models read it. */
const MOST_DATA = 4;
/** Answers that are kept: the largest have some megabytes. */
const MOST_ANSWERS = 24;

export interface Given {
  /** Run folders, or folders that hold some. */
  readonly folders: readonly string[];
  readonly data: readonly string[];
  readonly models: readonly string[];
  /** A file with a document and its title a line, a tab between them. */
  readonly titles?: string | undefined;
  /** The address of a document, `{document}` and `{query}` in it. */
  readonly link?: string | undefined;
  readonly resume?: Resume | undefined;
  /** Called with failures that are nobody's mistake but ours. */
  readonly note?: ((text: string) => void) | undefined;
}

/** How commands go on with runs that have stopped. */
export interface Resume {
  /** Commands that can. */
  readonly commands: readonly string[];
  /** Begins to, in a process of its own; why it could not, where that shows at once. */
  start(run: RunFolder): Promise<string | undefined>;
}

export interface Named {
  readonly id: string;
  readonly name: string;
  readonly file: string;
  /** The command that writes the file, where there is none yet. */
  readonly madeBy?: string | undefined;
}

/** Ids of what an answer is made of. */
export interface AnswerOf {
  readonly data: readonly string[];
  readonly models?: readonly string[];
}

export class Workspace {
  readonly runs: RunList;
  readonly trainings: Trainings;
  readonly data: readonly (Named & Identified)[];
  /** What lists the same runs. */
  readonly list: string;
  /** What opens the same studio. */
  readonly command: string;
  readonly link: string | undefined;
  readonly resume: Resume | undefined;
  readonly #titles: string | undefined;
  /** Those that were named. */
  readonly ownModels: readonly (Named & Identified)[];
  readonly #folders: readonly string[];
  readonly #files = new KeptFiles();
  readonly #datasets = new KeptFiles(MOST_DATA);
  readonly #answers = new KeptFiles(MOST_ANSWERS);
  /** They go with the data and the model that they are of, whatever files these came from. */
  readonly #scores = new WeakMap<Dataset, WeakMap<Ranker, Promise<Float64Array>>>();

  private constructor({ folders, data, models, titles, link, resume, note }: Given) {
    this.trainings = new Trainings(note);
    this.runs = new RunList(folders);
    this.data = named(data);
    this.list = commandLine('runs', ...folders);
    this.command = commandLine(
      'studio',
      ...folders,
      ...data.flatMap(file => ['--data', file]),
      ...models.flatMap(file => ['--model', file]),
      ...(titles === undefined ? [] : ['--titles', titles]),
      ...(link === undefined ? [] : ['--link', link]),
    );
    this.link = link;
    this.resume = resume;
    this.#titles = titles;
    this.ownModels = named(models);
    this.#folders = folders;
  }

  /** What is named must be there. */
  static async open(given: Given): Promise<Workspace> {
    const { folders, data, models, titles, link } = given;
    for (const file of [...folders, ...data, ...models, ...(titles === undefined ? [] : [titles])]) {
      await stat(file).catch(() => {
        throw new ListwiseError('file-not-found', 'there is no such file or folder', { file });
      });
    }
    if (link !== undefined && !/^https?:\/\//.test(link))
      throw new ListwiseError('option-invalid', 'the address of a document begins with http:// or https://');
    return new Workspace(given);
  }

  /** What there is: another text, once a run or a training has moved on. */
  async look(): Promise<string> {
    const trainings = this.trainings.all.map(({ row: { id, state, iteration } }) => `${id} ${state} ${iteration}`);
    return [await this.runs.look(), ...trainings].join('\n');
  }

  /** Models that were named, those that were trained here, then those of runs. */
  async models(given?: readonly StudioRun[]): Promise<Named[]> {
    const ofRuns = (given ?? (await this.runs.all())).filter(({ hasModel }) => hasModel).map(modelOf);
    return [...this.ownModels, ...this.#trained(), ...ofRuns];
  }

  #trained(): Named[] {
    return this.trainings.all
      .filter(({ iterations, trained }) => trained !== undefined || iterations.length > 0)
      .map(({ id, name, request }) => {
        const file = `${name.replace(' ', '-')}.json`;
        return {
          id: `${OF_TRAINING}${id}`,
          name,
          file,
          madeBy: trainCommand(request, data => this.fileOf(data), file),
        };
      });
  }

  /** Of a run, that run alone is looked at: there may be a thousand. */
  async modelNamed(id: string): Promise<Named> {
    const known = withId(this.ownModels, id) ?? this.#trained().find(model => model.id === id);
    if (known !== undefined) return known;
    const run = id.startsWith('run/') ? await this.runs.named(id.slice('run/'.length)) : undefined;
    if (run === undefined || !run.hasModel) throw unknown('model', id);
    return modelOf(run);
  }

  dataNamed(id: string): Named {
    const found = withId(this.data, id);
    if (found === undefined) throw unknown('data', id);
    return found;
  }

  fileOf(id: string): string {
    return this.dataNamed(id).file;
  }

  /** Of a training the model after an iteration, where one is given. */
  async model(id: string, iteration?: number): Promise<Ranker> {
    const training = this.trainings.ofModel(id);
    if (training !== undefined) return training.at(iteration).model;
    const { file } = await this.modelNamed(id);
    return this.#files.get(`model ${id}`, [file], async () =>
      openModel(id.startsWith('run/') ? await this.#within(file) : file),
    );
  }

  /** The data as the models read it. */
  async dataset(id: string, models: readonly Ranker[] = []): Promise<Dataset> {
    if (models.length === 0) return this.#read(id, {});
    const read = readForAll(models, {});
    // Only tables have columns to leave out: other data is the same for all models that say nothing of it.
    const plain = read.description === undefined ? await this.#read(id, {}).catch(() => undefined) : undefined;
    return plain === undefined || plain.description !== undefined ? this.#read(id, read) : plain;
  }

  /** As `inspect` reads it: whole numbers as they are written, beyond what features hold. */
  async exactly(id: string): Promise<Dataset> {
    const plain = await this.dataset(id);
    if (plain.rounded === undefined) return plain;
    const key = JSON.stringify([id, 'exactly']);
    return this.#datasets.get(key, await this.#filesOf(id), () => readExactly(this.fileOf(id), {}));
  }

  async #read(id: string, read: ReadOptions): Promise<Dataset> {
    const key = JSON.stringify([id, read.knownFeatures?.toSorted(), read.description]);
    return this.#datasets.get(key, await this.#filesOf(id), () => readDataset(this.fileOf(id), read));
  }

  /** Data as other data was read: to validate on. */
  async datasetFor(id: string, other: Dataset): Promise<Dataset> {
    return readDataset(this.fileOf(id), readFor(other, {}));
  }

  /** Data, and other data read as it was; neither needs labels. */
  async unlabelled(beforeId: string, id: string): Promise<{ readonly before: Dataset; readonly data: Dataset }> {
    const file = this.fileOf(beforeId);
    const key = JSON.stringify([beforeId, 'unlabelled']);
    const read = () => readDataset(file, { unlabelled: true });
    const before = await this.#datasets.get(key, await this.#filesOf(beforeId), read);
    return { before, data: await readDataset(this.fileOf(id), { ...readFor(before, {}), unlabelled: true }) };
  }

  /** Of data as the studio reads it, or as it reads it beside `other` data. */
  async fingerprintOf(id: string, other?: string): Promise<string> {
    const beside = other === undefined ? '' : await this.fingerprintOf(other);
    return this.#files.get(JSON.stringify(['fingerprint', id, beside]), await this.#filesOf(id), async () =>
      fingerprint(other === undefined ? await this.dataset(id) : await this.datasetFor(id, await this.dataset(other))),
    );
  }

  /** What takes long is made once, and again when data or a model has changed. Models of trainings always change. */
  async answer<T>(key: readonly unknown[], of: AnswerOf, make: () => Promise<T>): Promise<T> {
    const { data, models = [] } = of;
    if (models.some(id => this.trainings.ofModel(id) !== undefined)) return make();
    const files = await Promise.all([
      ...data.map(id => this.#filesOf(id)),
      ...models.map(async id => [(await this.modelNamed(id)).file]),
    ]);
    return this.#answers.get(JSON.stringify([key, of]), files.flat(), make);
  }

  /** Where data cannot be found, whoever reads it says why. */
  #filesOf(id: string): Promise<readonly string[]> {
    const file = this.fileOf(id);
    return filesOf(file).catch(() => [file]);
  }

  async scores(modelId: string, data: Dataset): Promise<Float64Array> {
    const model = await this.model(modelId);
    const ofData = this.#scores.get(data) ?? new WeakMap<Ranker, Promise<Float64Array>>();
    this.#scores.set(data, ofData);
    const scores = ofData.get(model) ?? scoreDataOnThreads(model, data, 1, { others: 'ignore' });
    ofData.set(model, scores);
    scores.catch(() => ofData.delete(model));
    return scores;
  }

  /** Titles of documents; none where no file was named. */
  async titles(): Promise<ReadonlyMap<string, string>> {
    const file = this.#titles;
    return file === undefined ? new Map() : this.#files.get('titles', [file], () => readTitles(file));
  }

  /** A model of a run lies in the folders that were given; a link out of them is not followed. */
  async #within(file: string): Promise<string> {
    const [real, ...folders] = await Promise.all([file, ...this.#folders].map(path => realpath(path)));
    if (!folders.some(folder => real!.startsWith(`${folder}${sep}`))) throw unknown('model', basename(file));
    return real!;
  }
}

function modelOf({ id, name, run }: StudioRun): Named {
  return { id: `run/${id}`, name, file: run.path('model') };
}

/** Files of one name in two folders, as those of folds are, go by their paths. */
function named(files: readonly string[]): (Named & Identified)[] {
  return identified(files).map(one => ({ ...one, name: one.alone ? basename(one.path) : one.path, file: one.path }));
}
