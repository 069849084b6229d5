/** Commands that write, with what must be there after them, however they ended. */
import { equal, ok } from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '#listwise/numeric/random.js';
import { listwise, type Outcome, run } from '../cli/run.js';

export interface Victim {
  readonly name: string;
  readonly args: readonly string[];
  /** What it writes, as far as it is the same each time; the files are those of one run, or of the run before. */
  readonly outputs: readonly string[];
  /** The folder of a run: there is one more way on, and no way over it. */
  readonly run?: string;
  /** The folder of checkpoints of a training without a run folder. */
  readonly checkpoint?: string;
}

const trees = ['--model', 'trees', '--set', 'trees=300', '--set', 'patience=0', '--threads', '1'];
const net = ['--model', 'net', '--set', 'epochs=60', '--set', 'patience=0'];
const tune = ['tune', 'data.txt', '--space', 'space.json', '--trials', '4', '--folds', '2'];

export const victims: readonly Victim[] = [
  {
    name: 'train trees',
    args: ['train', 'data.txt', ...trees, '--checkpoint', 'kept', '--out', 'model.json', '--force'],
    outputs: ['model.json'],
    checkpoint: 'kept',
  },
  { name: 'train --dir', args: ['train', 'data.txt', ...net, '--dir', 'run'], outputs: ['run/model.json'], run: 'run' },
  {
    name: 'train linear',
    args: ['train', 'data.txt', '--model', 'linear', '--checkpoint', 'kept', '--out', 'model.json', '--force'],
    outputs: ['model.json'],
    checkpoint: 'kept',
  },
  { name: 'tune --dir', args: [...tune, '--dir', 'run'], outputs: ['run/model.json'], run: 'run' },
  {
    name: 'reproduce --dir',
    args: ['reproduce', 'burges-2006-figure-2', '--scale', 'tiny', '--dir', 'run'],
    outputs: [],
    run: 'run',
  },
  {
    name: 'convert-data --split',
    args: ['convert-data', 'data.txt', 'part.csv', '--split', '0.5,0.5'],
    outputs: ['part.train.csv', 'part.test.csv'],
  },
  { name: 'convert-data', args: ['convert-data', 'data.txt', 'part.txt.gz'], outputs: ['part.txt.gz'] },
  { name: 'score', args: ['score', 'scorer.json', 'data.txt', '--out', 'scores.txt'], outputs: ['scores.txt'] },
  {
    name: 'generate',
    args: ['generate', 'cubic', '--queries', '400', '--docs', '20', '--features', '9', '--out', 'made.txt'],
    outputs: ['made.txt'],
  },
];

const SPACE = { model: 'linear', options: { epochs: 3 }, search: { rate: { from: 0.001, to: 0.1, scale: 'log' } } };

/** How a command ends when nothing happens to it. */
interface Known {
  /** In ms. */
  readonly takes: number;
  /** Digests of its outputs. */
  readonly wanted: readonly (string | null)[];
}

/** The commands' folder before them: data, a model, and the outputs of an earlier run with other contents. */
export class Scene {
  readonly #folder: string;
  readonly #shared: string;
  /** What was found out about commands, by what it is. */
  readonly #known: Record<string, unknown>;

  /** What an earlier batch has made in the shared folder is used again; attempts go on in the other. */
  static async open(folder: string, shared: string): Promise<Scene> {
    const known = join(shared, 'known.json');
    if (existsSync(known)) return new Scene(folder, shared, JSON.parse(readFileSync(known, 'utf8')));
    const scene = new Scene(folder, shared, {});
    await scene.#make();
    writeJson(known, {});
    return scene;
  }

  private constructor(folder: string, shared: string, known: Record<string, unknown>) {
    this.#folder = folder;
    this.#shared = shared;
    this.#known = known;
  }

  async #make(): Promise<void> {
    rmSync(this.#start, { recursive: true, force: true });
    mkdirSync(this.#start, { recursive: true });
    const make = async (...args: string[]) => {
      const { code, stderr } = await run([...args, '--quiet'], { cwd: this.#start });
      equal(code, 0, stderr);
    };
    await make('generate', 'cubic', '--queries', '60', '--docs', '20', '--features', '9', '--out', 'data.txt');
    await make('train', 'data.txt', '--model', 'linear', '--set', 'epochs=2', '--out', 'scorer.json');
    writeJson(join(this.#start, 'space.json'), SPACE);
    // What is replaced: other data of the same names.
    await make('generate', 'cubic', '--queries', '9', '--docs', '9', '--features', '9', '--out', 'made.txt');
    await make('train', 'made.txt', '--model', 'linear', '--set', 'epochs=1', '--out', 'model.json');
    await make('score', 'scorer.json', 'made.txt', '--out', 'scores.txt');
    await make('convert-data', 'made.txt', 'part.csv', '--split', '0.5,0.5');
    await make('convert-data', 'made.txt', 'part.txt.gz');
  }

  get #start(): string {
    return join(this.#shared, 'start');
  }

  /** The command's folder as it was before it. */
  #fresh(name: string): string {
    const folder = join(this.#folder, name);
    rmSync(folder, { recursive: true, force: true });
    cpSync(this.#start, folder, { recursive: true });
    return folder;
  }

  /** Some command, and the folder where it is to run: how it ends by itself is known. */
  begin(random: Random, victim = victims[random.below(victims.length)]!): { victim: Victim; now: string } {
    this.know(victim);
    return { victim, now: this.#fresh('now') };
  }

  /** What `find` finds out in a fresh folder, or has found out before. */
  remember<T>(what: string, find: (folder: string) => T): T {
    if (this.#known[what] === undefined) {
      this.#known[what] = find(this.#fresh('trial'));
      writeJson(join(this.#shared, 'known.json'), this.#known);
    }
    return this.#known[what] as T; // found under this name
  }

  /** Runs the command to its end once, to know what it gives and how long it takes. */
  know(victim: Victim): Known {
    return this.remember(victim.name, folder => {
      const began = performance.now();
      const { code, stderr } = listwise(victim.args, { cwd: folder });
      equal(code, 0, stderr);
      return { takes: performance.now() - began, wanted: digests(folder, victim.outputs) };
    });
  }

  /** After the command was ended, somehow: all old, or all new, or of a set only some where the others are gone. */
  intact(victim: Victim, folder: string): void {
    const { wanted } = this.know(victim);
    const before = digests(this.#start, victim.outputs);
    const found = digests(folder, victim.outputs);
    const all = (texts: readonly (string | null)[]) =>
      found.every((text, i) => text === texts[i] || (text === null && victim.outputs.length > 1));
    ok(all(before) || all(wanted), `${victim.name} left something that is neither old nor new`);
    const names = readdirSync(folder);
    victim.outputs.forEach((output, i) => {
      // One that is gone for the moment is beside its place, until all are there.
      const aside = names.filter(name => name.startsWith(`${output}.`) && name.endsWith('.old'));
      const isKept = found[i] !== null || digests(folder, aside).some(text => text === before[i] || text === wanted[i]);
      ok(isKept || before[i] === null, `${victim.name} has lost ${output}`);
    });
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (/run\.json$|results\.json$/.test(name)) JSON.parse(readFileSync(join(folder, name), 'utf8'));
    }
  }

  /** After the command failed by itself: nobody is said to be at work. */
  ended({ name, run }: Victim, folder: string): void {
    if (run === undefined) return;
    const record = join(folder, run, 'run.json');
    const status = existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')).status : 'none';
    ok(status !== 'running', `${name} has failed and says that it is running`);
  }

  /** Once more, going on where that is possible: the same comes of it, and nothing else stays behind. */
  async goesOn(victim: Victim, folder: string): Promise<void> {
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      // What a process left that was killed just now might be another host's; it is not after a minute.
      if (name.endsWith('.tmp')) utimesSync(join(folder, name), 1, 1);
    }
    const { code, stderr } = await run(this.again(victim, folder), { cwd: folder });
    equal(code, 0, stderr);
    this.done(victim, folder);
    const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      /\.(tmp|old|none)$|(^|\/)lock\.|heartbeat/.test(name),
    );
    equal(left.join(), '', 'left behind');
  }

  /** It came to its end, and gave what it should. */
  done(victim: Victim, folder: string): void {
    const found = digests(folder, victim.outputs);
    this.know(victim).wanted.forEach((text, i) => {
      ok(found[i] === text, `${victim.name}: ${victim.outputs[i]} is another one than of a run that was not ended`);
    });
    if (victim.run === undefined) return;
    equal(JSON.parse(readFileSync(join(folder, victim.run, 'run.json'), 'utf8')).status, 'finished');
  }

  /** How it goes on from where it was ended. */
  again({ args, run, checkpoint }: Victim, folder: string): readonly string[] {
    if (checkpoint !== undefined) return [...args.filter(word => word !== '--force'), '--resume'];
    if (run === undefined || !existsSync(join(folder, run, 'run.json'))) return args;
    const kept = existsSync(join(folder, run, 'checkpoint'));
    if (kept && args[0] !== 'reproduce') return [args[0]!, '--dir', run, '--resume'];
    return [...args, kept ? '--resume' : '--force'];
  }
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, JSON.stringify(value));
}

function digests(folder: string, files: readonly string[]): (string | null)[] {
  return files.map(file => {
    const path = join(folder, file);
    return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null;
  });
}

/** A coded message, or none where all is well; never a stack. */
export function coded({ code, stderr }: Outcome): void {
  ok(!/internal failure|^\s+at /m.test(stderr), stderr);
  ok(code === 0 || code === 2, `exit ${code}: ${stderr}`);
}
