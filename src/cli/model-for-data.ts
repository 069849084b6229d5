/** A model given where data is asked for: what is wrong is not its first line. */
import { existsSync } from 'node:fs';
import { type ErrorCode, ListwiseError, quote } from '../errors.js';

/** What readers of data, scores and other values say of a text that is something else. */
const OF_CONTENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  ...(['label-invalid', 'table-syntax', 'data-binary', 'data-empty', 'query-missing', 'feature-syntax'] as const),
  ...(['column-unknown', 'column-type', 'row-ragged', 'score-invalid', 'value-invalid'] as const),
]);

/** The error itself, or what it comes from where the file is a model. */
export async function modelForData(error: unknown): Promise<unknown> {
  if (!(error instanceof ListwiseError) || !OF_CONTENT.has(error.code)) return error;
  const { file } = error.place;
  const { modelFormat } = await import('../interop/open-model.js');
  const format = file === undefined ? undefined : await modelFormat(file);
  if (format === undefined) return error;
  return new ListwiseError(
    'data-format',
    `it is a model (${format.name}), where data or another file of values is asked for`,
    { file },
  );
}

/** What a command line asks for, by the names of its arguments, in their order. */
interface Placed {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly systems: readonly { readonly file: string }[];
}

/** The error, or that the arguments stand in the wrong order: data where a model is due, and a model in its place. */
export async function swappedArguments(error: unknown, { name, args, systems }: Placed): Promise<unknown> {
  const words = Object.entries(args).flatMap(([key, word]) => (typeof word === 'string' ? [{ key, word }] : []));
  const { modelFormat } = await import('../interop/open-model.js');
  const isModel = async (word: string) => (await modelFormat(word)) !== undefined;
  const order = [name, ...words.map(({ key }) => key.toUpperCase())].join(' ');
  const data = words.find(({ key }) => key === 'data')?.word;
  if (systems.length > 0 && data !== undefined && (await isModel(data))) {
    const text = `${quote(data)} is a model, where data is asked for: write ${name} DATA --system NAME=${data}`;
    return new ListwiseError('usage', text);
  }
  const model = words.find(({ key }) => key === 'model')?.word;
  if (model === undefined || (await isModel(model))) return error;
  // A file to be written need not exist.
  const others = existsSync(model) ? words : words.filter(({ key }) => key === 'out');
  for (const { word } of others) {
    if (word === model || !(await isModel(word))) continue;
    const right = words.map(other => (other.word === model ? word : other.word === word ? model : other.word));
    const what = `the arguments are swapped: ${quote(word)} is a model and ${quote(model)} is none`;
    return new ListwiseError('usage', `${what}. The order is ${order}: ${[name, ...right].join(' ')}`);
  }
  return error;
}
