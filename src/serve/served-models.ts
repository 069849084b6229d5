/**
 * The models that a server has: named, in versions, dealt out by shares, and loaded again when their files change. A
 * request keeps the model that it began with, so that none is lost while another takes its place; a file that cannot be
 * used leaves the old model where it is.
 */
import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { didYouMean, few, ListwiseError, quote } from '../errors.js';
import { modelFormat, useModel } from '../interop/open-model.js';
import { unreadable } from '../io/unreadable.js';
import { createRanker, type DocumentRanker } from '../models/create-ranker.js';
import { featureValues, type NumberOf } from '../models/feature-values.js';
import { modelContent } from '../models/model-content.js';
import { hash32, hashText } from '../numeric/random.js';
import { FeatureOrder } from './feature-order.js';
import { Pace } from './pace.js';
import type { Head } from './request.js';

/** A model in use: one loading of one file. */
export interface ServedModel {
  readonly name: string;
  readonly version: string | undefined;
  /** The first digits of the SHA-256 of its file. */
  readonly digest: string;
  readonly loaded: Date;
  readonly ranker: DocumentRanker;
  /** What reading requests needs of it, done once. */
  readonly number: NumberOf;
  /** By feature: whether its values are numbers as they stand. */
  readonly plain: readonly boolean[];
  readonly allPlain: boolean;
  /** The order in which requests name features. */
  readonly order: FeatureOrder;
  readonly place: ReadonlyMap<string, number>;
  /** Every name that any of the server's models knows. */
  readonly known: { has(name: string): boolean };
  /** As metrics count it. */
  readonly labels: { readonly model: string };
  readonly pace: Pace;
  /** The same for saying why. */
  readonly whyPace: Pace;
}

/** A file that a model is loaded from. */
interface Slot {
  readonly name: string;
  readonly version: string | undefined;
  readonly file: string;
  readonly shadow: boolean;
  served: ServedModel | undefined;
  /** What the file looked like when it was read last. */
  seen: string;
  /** Why it could not be read last. */
  failure: string | undefined;
  /** Why it could not be read at this look; said when the next one finds the same. */
  doubt: string | undefined;
  /** Whether the file, as it was found last, could not be used. */
  broken: boolean;
}

/** A slot whose model is there. */
type LoadedSlot = Slot & { served: ServedModel };

/**
 * What came of loading models again.
 *
 * @example
 * import { type Reload, serve } from 'listwise/serve';
 *
 * const server = await serve({ models: ['model.json'], port: 0 });
 * const { loaded, failed }: Reload = await server.reload();
 */
export interface Reload {
  /** Names of models that are new. */
  readonly loaded: readonly string[];
  /** Names of models whose files could not be used, and now hold again what is served. */
  readonly restored: readonly string[];
  /** What could not be loaded, and why; without paths. */
  readonly failed: readonly { readonly model: string; readonly error: ListwiseError }[];
}

export interface ModelSources {
  /** FILE, NAME=FILE, NAME@VERSION=FILE or a folder of model files. */
  readonly models: readonly string[];
  readonly shadows: readonly string[];
  /** Parts of the requests by name of model. */
  readonly shares: ReadonlyMap<string, number>;
  /** Names that features cannot have: columns of the feature log, where there is one. */
  isReserved(name: string): boolean;
}

const NAME = /^[\w.-]{1,100}$/;
/** Behind a dot are digits: ranker@3.json.bak is no version 3.json. */
const VERSION = /^[\w-]{1,100}(\.\d[\w-]*)*$/;

export class ServedModels {
  readonly #sources: ModelSources;
  readonly #slots = new Map<string, Slot>();
  readonly #known = new Set<string>();
  #dealt: readonly { readonly slot: LoadedSlot; readonly until: number }[] = [];
  /** Requests without an id so far: where they have no key, either, they are dealt out one by one. */
  #requests = 0;
  /** Why the files could not be looked for last. */
  #failure: string | undefined;
  readonly #started = Date.now().toString(36);

  private constructor(sources: ModelSources) {
    this.#sources = sources;
  }

  static async load(sources: ModelSources): Promise<ServedModels> {
    const models = new ServedModels(sources);
    await models.#look();
    for (const slot of models.#slots.values()) await models.#read(slot);
    models.#deal();
    return models;
  }

  /** Those that are served. */
  get all(): readonly ServedModel[] {
    return this.#of(false);
  }

  /** Those that are scored, too, but not served. */
  get shadows(): readonly ServedModel[] {
    return this.#of(true);
  }

  #of(shadow: boolean): ServedModel[] {
    return [...this.#slots.values()].flatMap(slot => (slot.shadow === shadow && slot.served ? [slot.served] : []));
  }

  /** The part of the requests that name no model which goes to each. */
  get shares(): ReadonlyMap<string, number> {
    const total = this.#dealt.at(-1)!.until;
    return new Map(
      this.#dealt.map(({ slot, until }, k) => [keyOf(slot), (until - (this.#dealt[k - 1]?.until ?? 0)) / total]),
    );
  }

  /** The model that a request names, or the one that its key falls to. */
  pick({ model, key, query }: Pick<Head, 'model' | 'key' | 'query'>): ServedModel {
    if (model !== undefined) return this.#named(model);
    if (this.#dealt.length === 1) return this.#dealt[0]!.slot.served;
    const by = key ?? query;
    const hash = by === undefined ? hash32(this.#requests, 1) : hash32(hashText(by), 0);
    const at = (hash / 2 ** 32) * this.#dealt.at(-1)!.until;
    return this.#dealt.find(({ until }) => at < until)!.slot.served;
  }

  /** An id for a request that has none. */
  nextId(): string {
    return `${this.#started}-${(this.#requests++).toString(36)}`;
  }

  #named(model: string): ServedModel {
    const slots = this.#loaded();
    const found = called(model, slots);
    if (found !== undefined) return found.served;
    const names = slots.map(keyOf);
    throw new ListwiseError(
      'model-unknown',
      `there is no model ${quote(model)}${didYouMean(model, names)} Models: ${few(names.map(quote), 20)}`,
    );
  }

  /** Loads what has changed; with `force`, everything. Never throws. One call at a time. */
  async reload(force = false): Promise<Reload> {
    const loaded: string[] = [];
    const restored: string[] = [];
    const failed: { model: string; error: ListwiseError }[] = [];
    try {
      await this.#look();
      this.#failure = undefined;
    } catch (error) {
      const failure = known(error);
      if (force || this.#failure !== failure.message) failed.push({ model: 'the folder', error: failure });
      this.#failure = failure.message;
    }
    for (const slot of this.#slots.values()) {
      try {
        const found = await this.#read(slot, force);
        if (found === 'new') loaded.push(keyOf(slot));
        if (found === 'served' && slot.broken) restored.push(keyOf(slot));
        if (found !== 'unchanged') slot.broken = false;
        slot.failure = slot.doubt = undefined;
      } catch (error) {
        const failure = known(error);
        // It may be half written: it is bad when it is as bad at the next look.
        if (!force && slot.doubt !== failure.message) {
          slot.doubt = failure.message;
          slot.seen = '';
          continue;
        }
        // A file that stays as bad as it was is said once.
        if (force || slot.failure !== failure.message) failed.push({ model: keyOf(slot), error: failure });
        slot.failure = failure.message;
        slot.broken = true;
      }
    }
    this.#deal();
    return { loaded, restored, failed };
  }

  /** Those that may be served; a new file that could not be used is none. */
  #loaded(): LoadedSlot[] {
    return [...this.#slots.values()].filter((slot): slot is LoadedSlot => !slot.shadow && slot.served !== undefined);
  }

  /** Finds the files; those that are gone keep their models. */
  async #look(): Promise<void> {
    let failure: unknown;
    for (const shadow of [false, true]) {
      for (const source of shadow ? this.#sources.shadows : this.#sources.models) {
        const named = /^([\w.-]+)(?:@([\w.-]+))?=(.+)$/s.exec(source);
        const files = named === null ? await filesOf(source) : [];
        if (named !== null) this.#add(named[1]!, named[2], named[3]!, shadow);
        for (const file of files) {
          try {
            this.#add(...nameOf(file), file, shadow);
          } catch (error) {
            failure ??= error; // those behind it are served all the same
          }
        }
      }
    }
    if (failure !== undefined) throw failure;
    if (this.#slots.size === 0) throw new ListwiseError('usage', 'no model file was found to serve');
  }

  #add(name: string, version: string | undefined, file: string, shadow: boolean): void {
    const key = keyOf({ name, version });
    const there = this.#slots.get(key);
    if (there?.file === file && there.shadow === shadow) return;
    if (there !== undefined) {
      throw new ListwiseError('usage', `two models are called ${quote(key)}; name them as NAME=FILE`);
    }
    if (!NAME.test(name) || (version !== undefined && !VERSION.test(version))) {
      throw new ListwiseError(
        'usage',
        `${quote(key)} is no name for a model: letters, digits, _ . - only; write NAME=FILE`,
      );
    }
    this.#slots.set(key, {
      name,
      version,
      file,
      shadow,
      served: undefined,
      seen: '',
      failure: undefined,
      doubt: undefined,
      broken: false,
    });
  }

  /**
   * Whether the file holds a new model, the one that is served, or is as it was when it was read last; throws where it
   * is not one that can be used, and keeps the old.
   */
  async #read(slot: Slot, force = false): Promise<'new' | 'served' | 'unchanged'> {
    const { file, seen: before } = slot;
    slot.seen = ''; // what cannot be read is tried again; what is no model, when it has changed
    const looks = await stat(file, { bigint: true }).catch(error => {
      throw unreadable(file, error, 'no such model file');
    });
    const seen = `${looks.mtimeNs} ${looks.size} ${looks.ino}`;
    if (seen === before && !force) {
      slot.seen = seen;
      return 'unchanged';
    }
    const content = await modelContent(file);
    slot.seen = seen;
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
    if (digest === slot.served?.digest) return 'served';
    const { model } = useModel(content, file);
    const taken = model.featureNames.find(name => this.#sources.isReserved(name));
    if (taken !== undefined) {
      const why = 'which the feature log has for something else: serve it without a log';
      throw new ListwiseError('feature-mismatch', `the model has a feature called ${quote(taken)}, ${why}`, { file });
    }
    for (const name of model.featureNames) this.#known.add(name);
    const ranker = createRanker(model, { others: 'refuse', known: this.#known });
    const { description } = model;
    const pace = slot.served?.pace ?? new Pace();
    const whyPace = slot.served?.whyPace ?? new Pace();
    warmUp(ranker, pace, whyPace);
    const isPlain = (name: string) => !description?.categories[name] && description?.kinds[name] !== 'date';
    const plain = model.featureNames.map(isPlain);
    slot.served = {
      name: slot.name,
      version: slot.version,
      digest,
      loaded: new Date(),
      ranker,
      number: featureValues(model),
      plain,
      allPlain: plain.every(Boolean),
      order: new FeatureOrder(model.featureNames),
      place: new Map(model.featureNames.map((name, f) => [name, f])),
      known: this.#known,
      labels: { model: keyOf(slot) },
      pace,
      whyPace,
    };
    return 'new';
  }

  /** Shares go to the newest versions that there are. */
  #deal(): void {
    const slots = this.#loaded();
    if (slots.length === 0) throw new ListwiseError('usage', 'there is no model to serve but shadows');
    const { shares } = this.#sources;
    let until = 0;
    this.#dealt = Array.from(shares.size === 0 ? [[slots[0]!.name, 1] as const] : shares, ([name, share]) => {
      const slot = called(name, slots);
      if (slot === undefined) {
        throw new ListwiseError(
          'usage',
          `a share is given to ${quote(name)}, which is none of ${few(slots.map(keyOf).map(quote))}`,
        );
      }
      until += share;
      return { slot, until };
    });
    if (!(until > 0)) throw new ListwiseError('usage', 'the shares must add up to more than 0');
  }
}

/** Lays out the kernel before the first request, and sees how quick it is. */
function warmUp(ranker: DocumentRanker, pace: Pace, whyPace: Pace): void {
  const n = 16;
  const rows = new Float32Array(n * ranker.featureNames.length);
  const start = performance.now();
  // Some times, since code is compiled again once it has run; never for long.
  for (let i = 0, last = start; i < 10 && last - start < 10; i++) {
    ranker.scoreRows(rows, n);
    const now = performance.now();
    if (i > 0) pace.took(now - last, n);
    last = now;
  }
  const before = performance.now();
  ranker.why(rows.subarray(0, FEW * ranker.featureNames.length), FEW);
  whyPace.took(performance.now() - before, FEW);
}

/** Documents that show how long saying why takes. */
const FEW = 4;

/** The one of that name and version; or, of that name, the newest version: 10 is newer than 9, and than none. */
function called(name: string, slots: readonly LoadedSlot[]): LoadedSlot | undefined {
  if (name.includes('@')) return slots.find(slot => keyOf(slot) === name);
  const versions = slots.filter(slot => slot.name === name);
  return versions.sort((a, b) => inOrder.compare(a.version ?? '', b.version ?? '')).at(-1);
}

const inOrder = new Intl.Collator('en', { numeric: true });

export function keyOf({ name, version }: { readonly name: string; readonly version: string | undefined }): string {
  return version === undefined ? name : `${name}@${version}`;
}

/** The name and version in a file's name: ranker@3.json.gz is version 3 of ranker. */
function nameOf(file: string): [string, string | undefined] {
  const [name = '', version] = basename(file)
    .replace(/\.gz$/, '')
    .replace(/\.[a-z]+$/, '')
    .split('@');
  return [name, version];
}

/** The file itself, or the model files of a folder. */
async function filesOf(source: string): Promise<string[]> {
  const found = await stat(source).catch(error => {
    throw unreadable(source, error, 'no such model file or folder');
  });
  if (!found.isDirectory()) return [source];
  const files = (await readdir(source)).filter(name => !name.startsWith('.')).sort();
  const models: string[] = [];
  for (const file of files.map(name => join(source, name))) {
    if ((await modelFormat(file)) !== undefined) models.push(file);
  }
  return models;
}

function known(error: unknown): ListwiseError {
  return error instanceof ListwiseError ? error : new ListwiseError('model-invalid', String(error));
}
