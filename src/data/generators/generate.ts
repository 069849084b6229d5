/**
 * Artificial data of any size, piece by piece. A query is a function of the seed and its number alone: the first
 * queries of a large set are the whole of a smaller one, and `skip` goes on where another file ended.
 */
import { didYouMean, ListwiseError, quote } from '../../errors.js';
import { hash32, Random, seedWord } from '../../numeric/random.js';
import { type Parameters, readParameters } from '../../spec/parameters.js';
import { parseSpec } from '../../spec/spec.js';
import type { Dataset } from '../dataset.js';
import { DatasetBuilder, type Piece } from '../dataset-builder.js';
import { PRIMARY_LABEL } from '../primary-label.js';
import { generators } from './all.js';
import { type ClickSourceName, clickLabel, clickSources } from './clicks.js';
import { flipLabels } from './flips.js';
import type { GeneratorDefinition, QueryRoom } from './generator.js';
import { type ShownClicks, shownClicks, showQuery } from './shown-clicks.js';
import { spreadSize } from './spread-size.js';

/** The name of the label source that `clicks` adds. */
export const CLICK_LABEL = 'clicks';
/** The names of those that `clickRates` adds. */
export const CLICK_RATE_LABELS = ['exact', 'similar'] as const;

/**
 * How much is generated.
 *
 * @example
 * import type { GenerateOptions } from 'listwise';
 *
 * const options: GenerateOptions = { queries: 100, documents: 20, clicks: true, seed: 7 };
 */
export interface GenerateOptions {
  queries: number;
  /** Documents a query, or their mean; by default the generator's own. */
  documents?: number | undefined;
  features?: number | undefined;
  seed: number;
  /** The seed of the hidden function alone (default: `seed`): another data set of the same function. */
  functionSeed?: number | undefined;
  /**
   * A second label source of clicks: rates that rise with the grade, or `positions`, such as `positions(eta=2)`:
   * clicks, 0 or 1, on lists that a weak ranker showed, and the positions they were shown at.
   */
  clicks?: boolean | string | undefined;
  /**
   * Two more of click-through rates over many users: `exact` after the very query, `similar` after similar ones too.
   */
  clickRates?: boolean | undefined;
  /**
   * The share of mislabelled documents, 0 to 1: each document has another grade with this probability, any other one of
   * the kind's grades equally likely. Features, clicks and the grades of all others stay as they are without.
   */
  flips?: number | undefined;
  /** Leave out this many queries from the start. */
  skip?: number | undefined;
  /** The same number of documents for every query even where the generator spreads them. */
  equalSizes?: boolean | undefined;
}

export interface Generation {
  readonly featureNames: readonly string[];
  /** The ids of all queries. */
  readonly queryIds: readonly string[];
  /**
   * The queries, or those of some numbers (from 0, within `queryIds`), piece by piece; each piece is of whole queries
   * and its memory is used again for the next.
   */
  pieces(numbers?: Iterable<number>): Iterable<Piece>;
  /** The same as data sets of a few megabytes each, to be written one after the other. */
  parts(numbers?: Iterable<number>): Iterable<Dataset>;
}

/** `spec` names a generator, with its parameters: `cubic`, `net(hidden=20)`. */
export function generate(spec: string, options: GenerateOptions): Generation {
  const { definition, values } = resolveGenerator(spec);
  const { seed, functionSeed = seed, skip = 0, flips = 0 } = options;
  if (!(flips >= 0 && flips <= 1)) {
    throw new ListwiseError('option-invalid', `flips is a share from 0 to 1, found ${flips}`);
  }
  const documents = options.documents ?? definition.defaults.documents;
  const features = options.features ?? definition.defaults.features;
  if (features !== definition.defaults.features && !definition.anyFeatures) {
    throw new ListwiseError(
      'option-invalid',
      `${definition.name} data has ${definition.defaults.features} features, found ${features}`,
    );
  }
  const clickNames: ClickSourceName[] = [];
  if (options.clicks === true) clickNames.push(CLICK_LABEL);
  const shown = typeof options.clicks === 'string' ? shownClicks(options.clicks, definition.grades - 1) : undefined;
  if (options.clickRates) clickNames.push(...CLICK_RATE_LABELS);
  const spread = definition.sizes === 'spread' && options.equalSizes !== true;
  const source = definition.start(values, { features, seed: functionSeed });
  const featureNames = Array.from({ length: features }, (_, f) => String(f + 1));
  const queryIds = Array.from({ length: options.queries }, (_, q) => String(skip + q + 1));
  function* pieces(numbers: Iterable<number> = queryIds.keys()): Iterable<Piece> {
    const batch = new Batch(features, clickNames, shown);
    for (const number of numbers) {
      // hash32 is one-to-one in its second argument: no two queries start from the same state.
      const queryKey = hash32(seedWord(seed), skip + number);
      const random = new Random(queryKey, 'query');
      const size = spread ? spreadSize(random, documents) : documents;
      if (batch.rows > 0 && batch.rows + size > BATCH_ROWS) yield batch.take();
      source.fill(random, size, batch.room(queryIds[number]!, size));
      for (const name of clickNames) batch.addClicks(name, new Random(queryKey, name), size);
      batch.show(new Random(queryKey, 'shown'), size);
      // After the clicks, which follow the grade that a document should have.
      if (flips > 0) flipLabels(batch.grades(size), flips, definition.grades, new Random(queryKey, 'flips'));
    }
    if (batch.rows > 0) yield batch.take();
  }
  function* parts(numbers?: Iterable<number>): Iterable<Dataset> {
    let builder = new DatasetBuilder({ absent: 0, featureNames });
    for (const piece of pieces(numbers)) {
      if (builder.rows > 0 && 4 * features * (builder.rows + piece.rows) > PART_BYTES) {
        yield builder.finish();
        builder = new DatasetBuilder({ absent: 0, featureNames });
      }
      builder.append(piece);
    }
    if (builder.rows > 0) yield builder.finish();
  }
  return { featureNames, queryIds, pieces, parts };
}

/** As much as one block of a data set holds. */
const PART_BYTES = 1 << 24;

/**
 * Made-up data of a known kind, for trials and tests; `generators` of `listwise/data` lists the kinds.
 *
 * @example
 * import { generateDataset } from 'listwise';
 *
 * const web = generateDataset('mslr', { queries: 500, seed: 1 });
 */
export function generateDataset(spec: string, options: GenerateOptions): Dataset {
  const { featureNames, pieces } = generate(spec, options);
  const builder = new DatasetBuilder({ absent: 0, featureNames });
  for (const piece of pieces()) builder.append(piece);
  return builder.finish();
}

export function resolveGenerator(text: string) {
  const spec = parseSpec(text);
  const all: readonly GeneratorDefinition<Parameters>[] = generators;
  const definition = all.find(one => one.name === spec.name);
  if (definition === undefined) {
    const names = all.map(one => one.name);
    throw new ListwiseError(
      'spec-unknown',
      `there is no generator ${quote(spec.name)}${didYouMean(spec.name, names)} Generators: ${names.join(', ')}`,
    );
  }
  if (spec.args.length > 0 || spec.cut !== undefined) {
    throw new ListwiseError(
      'spec-parameter',
      `${definition.name} takes parameters as name=value, found ${quote(text)}`,
    );
  }
  return { definition, values: readParameters(definition.name, definition.parameters, spec) };
}

/** Small enough that a piece of a hundred features stays in the processor's cache while it is filled. */
const BATCH_ROWS = 512;

/** The piece that is being filled. */
class Batch {
  readonly #features: number;
  readonly #clickNames: readonly ClickSourceName[];
  readonly #shown: ShownClicks | undefined;
  #queries: { id: string; rows: number }[] = [];
  #stride = 0;
  #room: QueryRoom;
  #clickLabels: Partial<Record<ClickSourceName, Float64Array>> = {};
  #positions: Float64Array | undefined;
  rows = 0;

  constructor(features: number, clickNames: readonly ClickSourceName[], shown: ShownClicks | undefined) {
    this.#features = features;
    this.#clickNames = clickNames;
    this.#shown = shown;
    const none = new Float64Array(0);
    this.#room = { columns: new Float32Array(0), stride: 0, at: 0, grades: none, appeal: none, habit: none };
  }

  /** Room for a further query; a query larger than the batch comes into an empty one and makes it larger. */
  room(id: string, size: number): QueryRoom {
    if (this.#stride === 0 || this.rows + size > this.#stride) {
      this.#stride = Math.max(BATCH_ROWS, this.rows + size) + 16; // no power of two, see dataset-builder.ts
      this.#room = {
        columns: new Float32Array(this.#features * this.#stride),
        stride: this.#stride,
        at: 0,
        grades: new Float64Array(this.#stride),
        appeal: new Float64Array(this.#stride),
        habit: new Float64Array(this.#stride),
      };
      for (const name of this.#clickNames) this.#clickLabels[name] = new Float64Array(this.#stride);
      if (this.#shown !== undefined) {
        this.#clickLabels[CLICK_LABEL] = new Float64Array(this.#stride);
        this.#positions = new Float64Array(this.#stride);
      }
    }
    this.#queries.push({ id, rows: size });
    this.#room.at = this.rows;
    this.rows += size;
    return this.#room;
  }

  /** Clicks of the query added last. */
  addClicks(name: ClickSourceName, random: Random, size: number): void {
    const labels = this.#clickLabels[name]!;
    const { grades, appeal, habit } = this.#room;
    for (let at = this.rows - size; at < this.rows; at++) {
      const document = { grade: grades[at]!, appeal: appeal[at]!, habit: habit[at]! };
      labels[at] = clickLabel(clickSources[name], random, document);
    }
  }

  /** Grades of the query added last. */
  grades(size: number): Float64Array {
    return this.#room.grades.subarray(this.rows - size, this.rows);
  }

  /** Positions and clicks of the query added last, where lists are shown. */
  show(random: Random, size: number): void {
    if (this.#shown === undefined) return;
    const from = this.rows - size;
    const own = (values: Float64Array) => values.subarray(from, this.rows);
    const { grades, appeal } = this.#room;
    showQuery(this.#shown, random, own(grades), own(appeal), {
      positions: own(this.#positions!),
      clicks: own(this.#clickLabels[CLICK_LABEL]!),
    });
  }

  take(): Piece {
    const piece: Piece = {
      rows: this.rows,
      width: this.#features,
      stride: this.#stride,
      columns: this.#room.columns,
      labels: { [PRIMARY_LABEL]: this.#room.grades, ...this.#clickLabels },
      queries: this.#queries,
      ...(this.#positions && { positions: this.#positions }),
    };
    this.#queries = [];
    this.rows = 0;
    return piece;
  }
}
