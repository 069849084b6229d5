/** What a format of model files is: one declared record a file, one line in `all.ts`, from which all else follows. */
import { constants } from 'node:buffer';
import { ListwiseError } from '../errors.js';
import type { Model, ModelKindName, ModelOf } from '../models/all.js';
import type { EngineRule } from './engines/rule.js';
import type { HeldTransforms, Transform } from './transform.js';

/**
 * What a loss does, as far as something can be done about it: documents go other ways, such as those with missing
 * values, or every score is off by one constant.
 */
export type LossKind = 'ways' | 'constant';

/** Collects what a conversion changes. */
export class Changes {
  /** What the new file cannot say; needs the caller's consent. */
  readonly losses: string[] = [];
  readonly kinds = new Set<LossKind>();
  /** What the system of a file that is read makes of sums, and what is lost where scores are the sums. */
  applied: { readonly transform: Transform; readonly loss: string } | undefined;
  /** What one should know and needs no consent, such as the width of numbers. */
  readonly notes: string[] = [];

  loses(what: string, kind?: LossKind): void {
    this.losses.push(what);
    if (kind !== undefined) this.kinds.add(kind);
  }

  /** A file that is read asks for this; systems that do it, too, lose nothing. */
  applies(transform: Transform, loss: string): void {
    this.applied = { transform, loss };
  }

  notice(what: string): void {
    this.notes.push(what);
  }
}

export interface ImportJob {
  /** Name of the file in messages. */
  readonly file?: string | undefined;
  /** Names of the features by their place, from a feature set. */
  readonly featureSet?: readonly string[] | undefined;
  /** What unnamed columns count from; where undefined, from 1 unless column 0 is used. */
  readonly featureBase?: 0 | 1 | undefined;
  readonly changes: Changes;
}

export interface ExportJob {
  /** Where the model is to be written; companions go beside it. */
  readonly target: string;
  /** The features of the engine in their order, from a feature set. */
  readonly featureSet?: readonly string[] | undefined;
  /** The rule of the engine that it is written for, where one is named. */
  readonly rule?: EngineRule | undefined;
  /** Name of the model in the engine. */
  readonly name?: string | undefined;
  /** What the file asks for; the format holds it. */
  readonly transform: Transform;
  /** Queries of features by name. */
  readonly queries?: Readonly<Record<string, unknown>> | undefined;
  readonly changes: Changes;
}

/**
 * A file that an export consists of.
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import type { WrittenFile } from 'listwise/interop';
 *
 * const save = ({ path, content }: WrittenFile): Promise<void> => writeFile(path, content);
 */
export interface WrittenFile {
  readonly path: string;
  readonly content: string | Uint8Array;
  /** What goes beside the definition in the body of a request; nothing is written of it otherwise. */
  readonly beside?: object | undefined;
}

/** One function for each kind of model that the format holds. */
export type Writers = { readonly [K in ModelKindName]?: (model: ModelOf[K], job: ExportJob) => WrittenFile[] };

/** How Elasticsearch and OpenSearch take the format: the type they know it by, and what goes beside the definition. */
export interface EngineModel {
  readonly type: string;
}

/**
 * A format of model files: one declared record.
 *
 * @example
 * import { formats, type ModelFormat } from 'listwise/interop';
 *
 * const readable: ModelFormat[] = formats.filter(({ read }) => read !== undefined);
 */
export interface ModelFormat {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly title: string;
  /** How the other system decides and adds up: comparison, width of numbers, missing values. */
  readonly rule: string;
  /** Extensions that tell the format of a file to be written, where they are its own. */
  readonly extensions?: readonly string[];
  /** Whether a file may be of this format, from its first 4096 bytes as Latin-1. */
  recognise?(start: string): boolean;
  /** Whether files name only the features that the model uses, not all that it was trained with. */
  readonly namesUsedOnly?: boolean;
  /** Whether files say how the data of the model is read, so that it is scored alike. */
  readonly remembers?: boolean;
  readonly reads?: readonly ModelKindName[];
  read?(content: Uint8Array, job: ImportJob): Model;
  readonly writes?: Writers;
  /** What files can ask their system to make of sums; nothing where left out. */
  readonly transforms?: HeldTransforms;
  readonly engine?: EngineModel;
  /** Whether the file is the body of the request that stores the model. */
  readonly body?: boolean;
}

/** A file that is not what its format asks for. */
export function invalid(job: ImportJob, what: string, line?: number): never {
  throw new ListwiseError('model-invalid', what, { file: job.file, line });
}

/** A sound file with something in it that no model here can be. */
export function unsupported(job: ImportJob, what: string): never {
  throw new ListwiseError('model-unsupported', what, { file: job.file });
}

/** A model that the format to be written cannot hold, whatever is given up. */
export function inexpressible(what: string): never {
  throw new ListwiseError('model-unsupported', what);
}

/** Other systems' formats are read as one text. */
export function textOf(content: Uint8Array): string {
  if (content.length > constants.MAX_STRING_LENGTH) {
    const most = Math.floor(constants.MAX_STRING_LENGTH / 2 ** 20);
    throw new ListwiseError('model-invalid', `it is too large: of this format, at most ${most} MB are read`);
  }
  return new TextDecoder().decode(content);
}
