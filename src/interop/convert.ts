/** Reads a model of any format, and writes one in any other; says what changes on the way. */
import { basename } from 'node:path';
import { atPlace, didYouMean, ListwiseError, quote } from '../errors.js';
import { longText } from '../io/long-text.js';
import { writeTogether } from '../io/whole-file.js';
import { isKind, isOfKind, type Model, type ModelKindName } from '../models/all.js';
import { modelContent } from '../models/model-content.js';
import type { Ranker } from '../models/ranker.js';
import { formats } from './all.js';
import { adviceOnLosses } from './engines/advice.js';
import { type DeploymentOptions, deploymentOf } from './engines/deployment.js';
import { loseByRule } from './engines/lose-by-rule.js';
import { requestsFor } from './engines/requests.js';
import type { EngineRule } from './engines/rule.js';
import { placesIn } from './features.js';
import { Changes, type ExportJob, type LossKind, type ModelFormat, type WrittenFile } from './format.js';
import { offsetOf, withOffset } from './offset.js';
import { formatOf } from './recognise.js';
import { modelName } from './target-name.js';
import type { Transform } from './transform.js';

/**
 * How a model is imported.
 *
 * @example
 * import type { ImportOptions } from 'listwise/interop';
 *
 * const options: ImportOptions = { from: 'ranklib', featureBase: 1 };
 */
export interface ImportOptions {
  /** Name of the format; recognised from the content where left out. */
  from?: string | undefined;
  /** Names of features in their order, for files that know numbers only. */
  featureSet?: readonly string[] | undefined;
  featureBase?: 0 | 1 | undefined;
  /** Name of the file, for messages. */
  file?: string | undefined;
}

/**
 * A model of another system.
 *
 * @example
 * import { readFile } from 'node:fs/promises';
 * import { type Imported, importModel } from 'listwise/interop';
 *
 * const { model, format, notes }: Imported = importModel(await readFile('lightgbm.txt'));
 */
export interface Imported {
  readonly model: Model;
  readonly format: string;
  readonly losses: readonly string[];
  /** What the file's system makes of sums, and which of the losses that is where scores are the sums. */
  readonly applied?: { readonly transform: Transform; readonly loss: string } | undefined;
  readonly notes: readonly string[];
}

/**
 * How a model is exported.
 *
 * @example
 * import type { ExportOptions } from 'listwise/interop';
 *
 * const options: ExportOptions = { to: 'lightgbm', target: 'model.txt' };
 */
export interface ExportOptions {
  to: string;
  /** The file to be written; companions are named after it. */
  target?: string | undefined;
  featureSet?: readonly string[] | undefined;
  /** A number, or `auto` for the least that keeps every score of trees at 0 or above. */
  offset?: string | undefined;
  /** What the file asks its system to make of sums, for formats that can. */
  transform?: Transform | undefined;
  /** The rule of the engine that it is written for: some formats hold more in later versions, and some hold less. */
  rule?: EngineRule | undefined;
  /** Queries of features by name, where a feature set has them: Elasticsearch's models hold them. */
  queries?: Readonly<Record<string, unknown>> | undefined;
  /** The request body that stores the model under this name in Elasticsearch or OpenSearch. */
  body?: string | undefined;
}

/**
 * The files of an exported model.
 *
 * @example
 * import { type Exported, exportModel } from 'listwise/interop';
 *
 * const { files, losses }: Exported = exportModel(model, { to: 'onnx', target: 'model.onnx' });
 */
export interface Exported {
  readonly files: readonly WrittenFile[];
  readonly format: string;
  readonly losses: readonly string[];
  /** What the losses do: documents go other ways, or all scores are off by a constant. */
  readonly kinds: readonly LossKind[];
  readonly notes: readonly string[];
  /** What the file asks its system to make of sums. */
  readonly transform: Transform;
}

/** The format of a name or an alias. */
export function findFormat(name: string): ModelFormat {
  const found = formats.find(format => format.name === name || format.aliases?.includes(name));
  if (found !== undefined) return found;
  const names = formats.map(format => format.name);
  throw new ListwiseError(
    'option-invalid',
    `there is no format ${quote(name)}${didYouMean(name, names)} Formats: ${names.join(', ')}`,
  );
}

/**
 * The model in a file of any format; what the format has and listwise has not is listed as losses.
 *
 * @example
 * import { readFile } from 'node:fs/promises';
 * import { importModel } from 'listwise/interop';
 *
 * const { model, losses } = importModel(await readFile('xgboost.json'), { from: 'xgboost' });
 */
export function importModel(content: Uint8Array | string, options: ImportOptions = {}): Imported {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const format = options.from === undefined ? formatOf(bytes, options.file) : findFormat(options.from);
  const { read: reads } = format;
  if (reads === undefined) {
    throw new ListwiseError('option-invalid', `${format.name} is written only: it cannot be read`, {
      file: options.file,
    });
  }
  const changes = new Changes();
  const read = atPlace({ file: options.file }, () => reads(bytes, { ...options, changes }));
  const model = format.namesUsedOnly ? read.with({ ignoresOthers: true }) : read;
  const { losses, applied, notes } = changes;
  return { model, format: format.name, losses: [...losses, ...(applied ? [applied.loss] : [])], applied, notes };
}

/**
 * A model as the files of another system; what cannot be held is an error, or a loss that is listed.
 *
 * @example
 * import { writeFile } from 'node:fs/promises';
 * import { exportModel } from 'listwise/interop';
 *
 * for (const { path, content } of exportModel(model, { to: 'ranklib', target: 'model.txt' }).files) {
 *   await writeFile(path, content);
 * }
 */
export function exportModel(given: Ranker, options: ExportOptions): Exported {
  const format = findFormat(options.to);
  const changes = new Changes();
  if (options.featureSet !== undefined) placesIn(options.featureSet, given.featureNames);
  const normalisation = given.description?.normalise;
  if (normalisation !== undefined && !format.remembers) {
    changes.loses(`features are normalised within each query (${normalisation}), which has to be done before scoring`);
  }
  const model = withOffset(given, offsetOf(given, options.offset));
  const { rule, featureSet, queries, body: name, transform = 'none' } = options;
  if (!holds(format, model, transform))
    throw new ListwiseError('option-invalid', `${format.title} asks for no ${transform} of a ${model.kind} model`);
  const job: ExportJob = { target: options.target ?? 'model', featureSet, rule, queries, name, transform, changes };
  if (rule !== undefined) loseByRule(model, rule, changes);
  const { kind } = model;
  const files = longText(job.target, () => (isKind(kind) ? writeAs(kind, format, model, job) : undefined));
  if (files === undefined) {
    throw new ListwiseError('model-unsupported', `${format.title} cannot hold a ${model.kind} model`);
  }
  return {
    files: name === undefined || format.body ? files : [bodyOf(format, files, name)],
    format: format.name,
    losses: [...new Set(changes.losses)],
    kinds: [...changes.kinds],
    transform,
    notes: changes.notes,
  };
}

/** Whether files of a format can ask for it. */
function holds({ transforms }: ModelFormat, { kind }: Ranker, transform: Transform): boolean {
  return transform === 'none' || (isKind(kind) && transforms?.[kind]?.includes(transform) === true);
}

/** The files of a model of the kind; undefined where the model is of another, or the format cannot hold such models. */
function writeAs<K extends ModelKindName>(kind: K, { writes }: ModelFormat, model: Ranker, job: ExportJob) {
  return isOfKind(model, kind) ? writes?.[kind]?.(model, job) : undefined;
}

/** What `POST _ltr/_featureset/SET/_createmodel` takes, in Elasticsearch as in OpenSearch. */
function bodyOf(format: ModelFormat, [file]: readonly WrittenFile[], name: string): WrittenFile {
  if (format.engine === undefined) {
    const names = formats.filter(({ engine }) => engine).map(other => other.name);
    throw new ListwiseError(
      'option-invalid',
      `search engines do not take ${format.name}; they take ${names.join(', ')}`,
    );
  }
  const model = { type: format.engine.type, ...file!.beside, definition: String(file!.content) };
  return { path: file!.path, content: `${JSON.stringify({ model: { name, model } }, undefined, 2)}\n` };
}

/**
 * What became of a model file.
 *
 * @example
 * import { type Conversion, convertModel } from 'listwise/interop';
 *
 * const { losses }: Conversion = await convertModel('lightgbm.txt', 'model.onnx');
 */
export interface Conversion {
  readonly from: string;
  readonly to: string;
  readonly file: string;
  /** All files that were written; the first is `file`. */
  readonly files: readonly string[];
  readonly losses: readonly string[];
  readonly notes: readonly string[];
}

/**
 * How a model file is converted.
 *
 * @example
 * import type { ConvertOptions } from 'listwise/interop';
 *
 * const options: ConvertOptions = { to: 'elasticsearch', lossy: true };
 */
export interface ConvertOptions extends Omit<ImportOptions, 'file'>, Omit<ExportOptions, 'target' | 'to' | 'rule'> {
  /** NAME@VERSION: writes what that engine takes, and a search that uses it. */
  engine?: string | undefined;
  /** Name of the format; from the extension of the target where left out. */
  to?: string | undefined;
  /** Whether losses are accepted. */
  lossy?: boolean | undefined;
  /** Called with each file before any is written; what it throws ends the conversion. */
  before?: ((file: string) => Promise<void>) | undefined;
  /** Called with the share done. */
  progress?: ((share: number) => void) | undefined;
}

/**
 * Converts a model file into another; what would be lost is an error unless `lossy`.
 *
 * @example
 * import { convertModel } from 'listwise/interop';
 *
 * await convertModel('lightgbm.txt', 'model.onnx');
 */
export async function convertModel(source: string, target: string, options: ConvertOptions = {}): Promise<Conversion> {
  // Big models take seconds to read and to write; how long each part takes is known by experience only.
  const { progress = () => {} } = options;
  const content = await modelContent(source);
  progress(0.1);
  const { model, format, losses, applied, notes } = importModel(content, { ...options, file: source });
  progress(0.5);
  const fileTransform = applied?.transform;
  const written: Exported & Advice =
    options.engine === undefined
      ? exportTo(findFormat(options.to ?? formatFor(target)), model, { ...options, target }, fileTransform)
      : exportFor(options.engine, model, target, { ...options, fileTransform });
  // Kept, or given up by one who asked for it.
  const isKept = options.transform !== undefined || written.transform === fileTransform;
  const lost = [...losses.filter(loss => !(isKept && loss === applied?.loss)), ...written.losses];
  if (lost.length > 0 && !options.lossy) {
    const advice = written.advice ? `${written.advice} ` : '';
    throw new ListwiseError('conversion-lossy', `${lost.join('; ')}. ${advice}\`lossy: true\` writes it nevertheless`, {
      file: source,
    });
  }
  progress(0.9);
  for (const { path } of written.files) await options.before?.(path);
  await writeTogether(async files => {
    for (const { path, content: text } of written.files) await files.text(path, sink => sink.write(text));
  });
  return {
    from: format,
    to: written.format,
    file: target,
    files: written.files.map(file => file.path),
    losses: lost,
    notes: [...new Set([...notes, ...written.notes])],
  };
}

/** What helps where something is lost. */
interface Advice {
  readonly advice?: string | undefined;
}

/** In a format, with what the file that was read asks for where the format can. */
function exportTo(
  format: ModelFormat,
  model: Ranker,
  options: Omit<ExportOptions, 'to'>,
  fileTransform: Transform = 'none',
): Exported {
  const transform = options.transform ?? (holds(format, model, fileTransform) ? fileTransform : 'none');
  return exportModel(model, { ...options, to: format.name, transform });
}

/** What an engine's version takes: the model, the body of a request where it takes one, and what goes beside it. */
function exportFor(
  text: string,
  model: Ranker,
  target: string,
  options: ConvertOptions & Pick<DeploymentOptions, 'fileTransform'>,
): Exported & Advice {
  const { engine, rule, offset, raises, transform } = deploymentOf(text, model, options);
  const format = findFormat(rule.format);
  const name = options.body ?? modelName(target);
  // Vespa takes the same formats, as files.
  const takesBody = format.body === true || (format.engine !== undefined && rule.negative === 'disallowed');
  const exported = exportModel(model, {
    ...options,
    to: rule.format,
    target,
    rule,
    offset: String(offset),
    transform,
    body: takesBody ? name : undefined,
  });
  const { featureNames } = model;
  const [file] = exported.files;
  const stored = { file: file!, name, format: rule.format, featureNames: options.featureSet ?? featureNames };
  const beside = requestsFor(engine.engine, { ...stored, queries: options.queries ?? {} });
  const raised = raises ? ['scores are raised so that none is below 0, which Lucene does not allow'] : [];
  const unbounded =
    rule.negative === 'disallowed' && model.leastTerms === undefined
      ? [
          `scores of a ${model.kind} model have no lower bound, and Lucene allows none below 0: deploy check counts them`,
        ]
      : [];
  return {
    ...exported,
    files: [...exported.files, ...beside.files],
    notes: [...engine.notes, ...exported.notes, ...raised, ...unbounded, ...beside.notes],
    advice: adviceOnLosses(engine, rule, exported.kinds).join(' '),
  };
}

function formatFor(target: string): string {
  const found = formats.find(format => format.extensions?.some(extension => target.endsWith(extension)));
  if (found !== undefined) return found.name;
  throw new ListwiseError(
    'usage',
    `the name ${quote(basename(target))} does not tell the format to write; \`to: NAME\` does: ${formats.map(({ name }) => name).join(', ')}`,
  );
}
