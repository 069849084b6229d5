/** How the feature log is read back: a description in its folder, where readers of folders look for one. */
import { join } from 'node:path';
import { type ColumnKind, type DataDescription, DIRECTORY_DESCRIPTION, NOTHING_KNOWN } from '../data/description.js';
import { replaceFile } from '../io/whole-file.js';
import type { ServedModel } from './served-models.js';

export class LogDescription {
  readonly #file: string;
  #description: DataDescription;
  /** Models that it has the features of. */
  readonly #models = new WeakSet<ServedModel>();
  #written: boolean;

  private constructor(file: string, found: DataDescription | undefined) {
    this.#file = file;
    this.#written = found?.union === true;
    // Models may have different features.
    this.#description = { ...(found ?? NOTHING_KNOWN), union: true };
  }

  /** The one that is there, or a new one. */
  static async in(directory: string): Promise<LogDescription> {
    const file = join(directory, DIRECTORY_DESCRIPTION);
    // Its schema is of use here only.
    const { descriptionIn } = await import('../data/description-schema.js');
    return new LogDescription(file, await descriptionIn(file));
  }

  /** Says which features of a model are no numbers. */
  add(served: ServedModel): void {
    if (this.#written && this.#models.has(served)) return;
    const kinds = served.ranker.featureNames.flatMap((name, f) =>
      served.plain[f] ? [] : [[name, kindOf(served, name)] as const],
    );
    const isNew = kinds.some(([name]) => this.#description.kinds[name] === undefined);
    const next = { ...this.#description, kinds: { ...Object.fromEntries(kinds), ...this.#description.kinds } };
    // What could not be written is tried again.
    if (isNew || !this.#written) replaceFile(this.#file, `${JSON.stringify(next, undefined, 2)}\n`);
    this.#description = next;
    this.#written = true;
    this.#models.add(served);
  }
}

function kindOf({ ranker }: ServedModel, name: string): ColumnKind {
  return ranker.model.description?.kinds[name] === 'date' ? 'date' : 'category';
}
