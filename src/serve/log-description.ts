/**
 * How the feature log is read back: a description in its folder, where readers of folders look for one. Servers that
 * log to one folder share it: each adds what it knows to what is there, and looks again whether it stayed.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ColumnKind, DIRECTORY_DESCRIPTION, NOTHING_KNOWN } from '../data/description.js';
import { replaceFile } from '../io/whole-file.js';
import type { ServedModel } from './served-models.js';

/** Servers that write at once see it when they look again. */
const TRIES = 5;

export class LogDescription {
  readonly #file: string;
  /** Features that are no numbers. */
  readonly #kinds: Record<string, ColumnKind> = {};
  /** Models that it has the features of. */
  readonly #models = new WeakSet<ServedModel>();
  #written = false;

  private constructor(file: string) {
    this.#file = file;
  }

  /** The one that is there, or a new one; refuses one that cannot be read. */
  static async in(directory: string): Promise<LogDescription> {
    const file = join(directory, DIRECTORY_DESCRIPTION);
    await descriptionIn(file);
    return new LogDescription(file);
  }

  /** Says which features of models are no numbers. */
  async add(models: readonly ServedModel[]): Promise<void> {
    if (this.#written && models.every(served => this.#models.has(served))) return;
    for (const served of models)
      for (const [f, name] of served.ranker.featureNames.entries())
        if (!served.plain[f]) this.#kinds[name] ??= kindOf(served, name);
    await this.stay();
    for (const served of models) this.#models.add(served);
  }

  /** Writes what the file lacks, if it lacks anything. */
  async stay(): Promise<void> {
    // What could not be written is tried again.
    this.#written = false;
    for (let tries = 0; tries < TRIES; tries++) {
      const found = await descriptionIn(this.#file).catch(() => undefined);
      const lacks = Object.keys(this.#kinds).some(name => found?.kinds[name] === undefined);
      if (found?.union === true && !lacks) break;
      const kinds = { ...this.#kinds, ...found?.kinds };
      // Models may have different features.
      const next = { ...(found ?? NOTHING_KNOWN), kinds, union: true };
      replaceFile(this.#file, `${JSON.stringify(next, undefined, 2)}\n`);
      await sleep(5 + 20 * Math.random());
    }
    this.#written = true;
  }
}

async function descriptionIn(file: string) {
  // Its schema is of use here only.
  return (await import('../data/description-schema.js')).descriptionIn(file);
}

function kindOf({ ranker }: ServedModel, name: string): ColumnKind {
  return ranker.model.description?.kinds[name] === 'date' ? 'date' : 'category';
}
