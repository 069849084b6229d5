/** Runs right below the folders that were given, their files, and what people think of them. */
import { lstatSync, realpathSync, statSync } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { ListwiseError, quote } from '../errors.js';
import { writeText } from '../io/whole-file.js';
import { RUN_FILES, type RunFile, runPath } from '../runs/layout.js';
import { type LoggedIteration, RunFolder } from '../runs/run-folder.js';
import type { Mark } from './answers.js';
import { type Identified, identified, withId } from './ids.js';
import { MARKS_FILE, marksOf } from './marks.js';

export interface StudioRun {
  readonly id: string;
  readonly name: string;
  readonly run: RunFolder;
  /** What the command printed with --json; undefined before its end. */
  readonly results: Readonly<Record<string, unknown>> | undefined;
  readonly hasModel: boolean;
  readonly hasReport: boolean;
  /** What its files looked like when it was read. */
  readonly look: string;
}

export class RunList {
  #marking: Promise<void> = Promise.resolve();
  readonly #folders: readonly Identified[];
  readonly #read = new Map<string, StudioRun>();

  constructor(folders: readonly string[]) {
    // `.` is no name of a run: that of the folder is.
    this.#folders = identified(folders.map(folder => resolve(folder)));
  }

  /** Every run, the newest first. Only those whose files have changed are read. */
  async all(): Promise<StudioRun[]> {
    const found = await Promise.all(this.#folders.map(folder => this.#runsOf(folder)));
    const started = ({ run }: StudioRun) => run.record.times.started;
    return found.flat().sort((a, b) => (started(a) < started(b) ? 1 : -1));
  }

  /** The folders in the order given, where each is a run itself; undefined where one holds some. */
  async themselves(): Promise<StudioRun[] | undefined> {
    const runs = [];
    for (const folder of this.#folders) {
      if (lookOf(runPath(folder.path, 'record')) === '') return undefined;
      runs.push(...(await this.#runsOf(folder)));
    }
    return runs;
  }

  /** What all of them look like: another text, once anything about them has changed. */
  async look(): Promise<string> {
    const runs = (await this.all()).map(({ id, run, look }) => {
      // Of a run that has finished no file changes any more.
      const log = run.state === 'finished' ? '' : lookOf(run.path('log'));
      return [id, run.state, look, log].join(' ');
    });
    const marks = this.#folders.map(({ path }) => lookOf(join(path, MARKS_FILE)));
    return [...runs, ...marks].join('\n');
  }

  /** Only this run is looked at. Its name is that of an entry of the folder, never a path. */
  async named(id: string): Promise<StudioRun> {
    const [f = '', name = '', ...more] = id.split('/');
    const given = withId(this.#folders, f);
    if (
      given === undefined ||
      more.length > 0 ||
      name !== basename(name) ||
      name.includes(sep) ||
      /^\.{0,2}$/.test(name)
    )
      throw unknown('run', id);
    const { path: folder } = given;
    const own = name === basename(folder) && lookOf(runPath(folder, 'record')) !== '';
    const directory = own ? folder : join(folder, name);
    // A link leads out of the folder that was given.
    const entry = await lstat(directory).catch(() => undefined);
    const found = own || entry?.isDirectory() ? await this.#open(directory, `${given.id}/${name}`, name) : undefined;
    if (found === undefined) throw unknown('run', id);
    return found;
  }

  /** A file of a run, as long as it lies in the folder that was given. */
  async fileOf({ run, id }: StudioRun, file: RunFile): Promise<Buffer> {
    const path = run.path(file);
    if (lookOf(path) === '' || leadsOut(path, this.#folderOf(id))) throw unknown('file', `${id}/${RUN_FILES[file]}`);
    return readFile(path);
  }

  /** The log of a run, as long as it lies there, too. */
  async logOf({ run, id }: StudioRun): Promise<LoggedIteration[]> {
    return leadsOut(run.path('log'), this.#folderOf(id)) ? [] : run.readLog();
  }

  /** Takes the files of a run away; `name` is said again, so that no slip of a hand does it. */
  async remove(id: string, name: unknown): Promise<readonly string[]> {
    const run = await this.named(id);
    if (name !== run.name) throw new ListwiseError('request-invalid', `say the name of the run: ${quote(run.name)}`);
    return RunFolder.remove(run.run.directory);
  }

  /** Stars and notes, by run; and what is wrong with files that hold none. */
  async marks(): Promise<{ readonly of: Readonly<Record<string, Mark>>; readonly problems: readonly string[] }> {
    const of: Record<string, Mark> = {};
    const problems: string[] = [];
    for (const { id, path } of this.#folders) {
      const file = join(path, MARKS_FILE);
      if (isLink(file)) continue;
      const found = await marksOf(file).catch((error: unknown) => {
        if (!(error instanceof ListwiseError)) throw error;
        problems.push(error.detail);
        return {};
      });
      for (const [name, mark] of Object.entries(found)) of[`${id}/${name}`] = mark;
    }
    return { of, problems };
  }

  /** One after the other: each writes what the one before left. */
  mark(id: string, mark: Mark): Promise<void> {
    const marked = this.#marking.then(() => this.#mark(id, mark));
    this.#marking = marked.catch(() => {});
    return marked;
  }

  async #mark(id: string, mark: Mark): Promise<void> {
    const { name } = await this.named(id);
    const file = join(this.#folderOf(id), MARKS_FILE);
    if (isLink(file)) {
      throw new ListwiseError('file-unwritable', 'it is a link, which may lead anywhere; take it away', {
        file: MARKS_FILE,
      });
    }
    const before = await marksOf(file);
    const all = { ...before, [name]: { ...before[name], ...mark } };
    await writeText(file, sink => sink.write(`${JSON.stringify(all, undefined, 2)}\n`));
  }

  #folderOf(id: string): string {
    return withId(this.#folders, id.split('/')[0]!)!.path;
  }

  async #runsOf({ id, path: folder }: Identified): Promise<StudioRun[]> {
    if (lookOf(runPath(folder, 'record')) !== '') {
      const own = await this.#open(folder, `${id}/${basename(folder)}`, basename(folder));
      return own === undefined ? [] : [own];
    }
    // A link leads out of the folder that was given: it is no directory here.
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      // Deleted, from here or from elsewhere.
      if (error.code === 'ENOENT') return [];
      throw error;
    });
    const directories = entries.filter(entry => entry.isDirectory());
    const runs = await Promise.all(
      directories.map(({ name }) => this.#open(join(folder, name), `${id}/${name}`, name)),
    );
    return runs.filter(run => run !== undefined);
  }

  async #open(directory: string, id: string, name: string): Promise<StudioRun | undefined> {
    const files = ['record', 'results', 'model', 'report'] as const;
    const [record, results, model, report] = files.map(file => lookOf(runPath(directory, file)));
    if (record === '') return undefined;
    const look = [record, results, model, report].join(' ');
    const known = this.#read.get(id);
    // Whether a process is alive is not in its files.
    if (known?.look === look && known.run.state !== 'running') return known;
    const out = (file: RunFile) => leadsOut(runPath(directory, file), this.#folderOf(id));
    const run = out('record') ? undefined : await RunFolder.open(directory).catch(() => undefined);
    if (run === undefined) return undefined;
    const read: StudioRun = {
      id,
      name,
      run,
      results: out('results') ? undefined : await run.readResults().catch(() => undefined),
      hasModel: model !== '',
      hasReport: report !== '',
      look,
    };
    this.#read.set(id, read);
    return read;
  }
}

/**
 * Size, times and number of a file; empty where there is none. Two files of one size may be written within one tick of
 * the file system's clock: one that was renamed into place has another number.
 */
export function lookOf(file: string): string {
  // At once: of a thousand runs that is 30 ms, where promises take five times as long.
  try {
    const { size, mtimeMs, ctimeMs, ino } = statSync(file);
    return [size, mtimeMs, ctimeMs, ino].join(':');
  } catch {
    return '';
  }
}

function isLink(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Whether a file is a link to somewhere that was not given. */
function leadsOut(file: string, folder: string): boolean {
  try {
    if (!lstatSync(file).isSymbolicLink()) return false;
    return !realpathSync(file).startsWith(`${realpathSync(folder)}${sep}`);
  } catch {
    // There is none, or the link leads nowhere: whoever reads it finds that out.
    return false;
  }
}

export function unknown(what: string, id: string): ListwiseError {
  return new ListwiseError('route-unknown', `there is no ${what} ${quote(id)} here`);
}
