/**
 * Rows of tables as pieces of a data set, whatever the tables are read from: which column is used as what, checks of
 * the values, codes of categories, and what there is to say of it all.
 */
import { ListwiseError, quote } from '../../../errors.js';
import type { BuilderOptions, Piece } from '../../dataset-builder.js';
import { type DataDescription, DESCRIPTION_FORMAT } from '../../description.js';
import { PRIMARY_LABEL } from '../../primary-label.js';
import { JudgmentJoin } from '../../read/judgment-join.js';
import { pickRows } from '../../read/pick-rows.js';
import { tell } from '../../read/read-notes.js';
import { labelProblem, positionProblem, scoreProblem, weightProblem } from '../../read/row-values.js';
import type { ReadOptions } from '../reader.js';
import { RowQueries } from '../svmlight/row-queries.js';
import { NO_NUMBER } from './cell-numbers.js';
import { ColumnKinds } from './kinds.js';
import { MissingWords } from './missing-words.js';
import { assignRoles, lateColumn, type Roles } from './roles.js';
import type { TableChunk } from './table-chunk.js';
import { featuresProblem, TableFeature } from './table-features.js';

/** A column of one number a row, with what makes a value wrong there. */
interface NumberColumn {
  readonly name: string;
  /** What it is used as. */
  readonly use: string;
  readonly code: 'label-invalid' | 'value-invalid';
  readonly problem: (value: number) => string | undefined;
}

/** Float32 holds every whole number up to here. */
const WHOLE = 2 ** 24;
/** After the first value that is none of its kind, so many rows are looked at for others. */
const LOOK_ON = 1 << 16;

export class TablePieces {
  readonly #options: ReadOptions;
  readonly #missing: MissingWords;
  readonly #outside: RowQueries | undefined;
  readonly #join: JudgmentJoin | undefined;
  #roles: Roles | undefined;
  #first: { columns: readonly string[]; file: string } | undefined;
  #features: TableFeature[] = [];
  #labels: readonly (NumberColumn & { readonly label: string })[] = [];
  #weight: NumberColumn | undefined;
  #position: NumberColumn | undefined;
  #initialScore: NumberColumn | undefined;
  /** Column numbers of the table at hand. */
  #columns = new Map<string, number>();
  /** Feature f of row i of the chunk at [f * stride + i]; used again for every chunk. */
  #cells = new Float32Array(0);
  #stride = 0;
  #numbers = new Float64Array(0);
  #rows = 0;
  #told = false;
  /** Documents without a label, where these are left out or kept. */
  #unlabelled = 0;
  /** Columns of labels and the like in which there was a value that is one. */
  readonly #withNumbers = new Set<string>();
  /** Rows still to be looked at for values that are wrong, once there is one. */
  #lookOn = Infinity;

  constructor(options: ReadOptions) {
    this.#options = options;
    this.#missing = new MissingWords([...(options.missing ?? []), ...(options.description?.missing ?? [])]);
    this.#outside = options.outsideQueries === undefined ? undefined : new RowQueries(options.outsideQueries);
    this.#join =
      options.judged === undefined
        ? undefined
        : new JudgmentJoin(options, { document: 'document', there: 'in the table', place: 'the table' });
  }

  get missing(): MissingWords {
    return this.#missing;
  }

  get roles(): Roles {
    return this.#roles!;
  }

  /** Those of all tables so far. */
  get features(): readonly Pick<TableFeature, 'name' | 'kind'>[] {
    return this.#features;
  }

  /** Whether enough has been seen of values that are wrong. */
  get hopeless(): boolean {
    return this.#lookOn <= 0;
  }

  /** Whether tables may have different columns. */
  get #union(): boolean {
    return this.#options.description?.union === true;
  }

  /** Begins with a table; `begin` is called for the first one. More columns may come later where the table `grows`. */
  open(columns: readonly string[], file: string, begin: (options: BuilderOptions) => void, grows = false): void {
    this.#columns = new Map(columns.map((name, c) => [name, c]));
    if (this.#roles !== undefined) {
      if (this.#union) this.#meet(columns, file);
      return;
    }
    this.#first = { columns, file };
    const roles = assignRoles(columns, this.#options, file);
    this.#roles = roles;
    const levels = this.#options.description?.categories ?? {};
    this.#features = roles.features.map(({ name, kind }) => new TableFeature(name, kind, levels[name]));
    const numbers = (
      name: string | undefined,
      use: string,
      problem: NumberColumn['problem'],
      code: NumberColumn['code'] = 'value-invalid',
    ): NumberColumn | undefined => (name === undefined ? undefined : { name, use, code, problem });
    const { unlabelled = false, judged, unjudged = 'refuse' } = this.#options;
    const needed = !unlabelled && judged === undefined && unjudged === 'refuse';
    this.#labels = roles.labels.map(({ name, column }) => ({
      label: name,
      ...numbers(column, `label ${quote(name)}`, labelProblem(needed && name === PRIMARY_LABEL), 'label-invalid')!,
    }));
    this.#weight = numbers(roles.weight, 'document weight', weightProblem);
    this.#position = numbers(roles.position, 'position', positionProblem);
    this.#initialScore = numbers(roles.initialScore, 'initial score', scoreProblem);
    const featureNames = () => this.#features.map(feature => feature.name);
    begin({
      absent: Number.NaN,
      featureNames: grows || this.#union ? featureNames : featureNames(),
      description: () => this.#description(),
      ownLevels: () => this.#features.filter(feature => feature.hasOwnLevels).map(({ name }) => name),
      rounded: () => this.#rounded(),
    });
  }

  /** More columns of the table at hand, which came up behind its first rows. */
  widen(columns: readonly string[], file: string): void {
    const more = columns.slice(this.#columns.size);
    for (const name of more) this.#columns.set(name, this.#columns.size);
    this.#meet(more, file);
  }

  /** Columns that are new are features, or nothing. */
  #meet(columns: readonly string[], file: string): void {
    const kinds = new ColumnKinds(this.#options);
    for (const name of columns) {
      if (this.#first!.columns.includes(name) || this.#features.some(feature => feature.name === name)) continue;
      const kind = lateColumn(name, kinds, this.roles, file, this.#options);
      if (kind !== 'ignore') {
        this.#features.push(new TableFeature(name, kind, this.#options.description?.categories[name]));
      }
      this.#first = { ...this.#first!, columns: [...this.#first!.columns, name] };
    }
  }

  /** To be called at the end of a table: all have the same columns, unless they may differ. */
  close(columns: readonly string[], file: string): void {
    if (this.#union) return;
    const first = this.#first!;
    const lacking = first.columns.filter(name => !columns.includes(name));
    const extra = columns.filter(name => !first.columns.includes(name));
    if (lacking.length === 0 && extra.length === 0) return;
    const some = (names: string[]) => `${names.slice(0, 5).map(quote).join(', ')}${names.length > 5 ? ', ...' : ''}`;
    const parts = [
      ...(lacking.length > 0 ? [`it lacks ${some(lacking)}`] : []),
      ...(extra.length > 0 ? [`it has ${some(extra)} more`] : []),
    ];
    throw new ListwiseError('feature-mismatch', `the columns are not those of ${first.file}: ${parts.join('; ')}`, {
      file,
    });
  }

  /** The chunk's rows; undefined once values are wrong, when the rest is only looked at. */
  piece(chunk: TableChunk): Piece | undefined {
    const { rows } = chunk;
    const looking = this.#lookOn < Infinity;
    const roles = this.roles;
    const checked = (column: NumberColumn | undefined) =>
      column === undefined ? undefined : this.#checked(chunk, column);
    const texts = (name: string) => Array.from({ length: rows }, (_, row) => chunk.text(this.#column(name), row) ?? '');
    let rest: Omit<Piece, 'rows' | 'width' | 'stride' | 'columns'> | undefined;
    if (!looking) {
      rest = {
        queries: this.#outside?.take(rows) ?? this.#queries(chunk),
        ...(roles.extras.length > 0 && { extras: Object.fromEntries(roles.extras.map(name => [name, texts(name)])) }),
        documentIds: roles.document === undefined ? undefined : chunk.ids(this.#column(roles.document)),
        labels: Object.fromEntries(this.#labels.map(column => [column.label, this.#checked(chunk, column)])),
        rowWeights: checked(this.#weight),
        positions: checked(this.#position),
        initialScores: checked(this.#initialScore),
      };
    }
    const width = this.#features.length;
    if (rows > this.#stride || this.#cells.length < width * this.#stride) {
      this.#stride = Math.max(rows, this.#stride);
      this.#cells = new Float32Array(width * this.#stride);
    }
    for (const [f, feature] of this.#features.entries()) this.#feature(chunk, f, feature);
    this.#rows += rows;
    if (looking) this.#lookOn -= rows;
    else if (this.#features.some(feature => feature.bad !== undefined)) this.#lookOn = LOOK_ON;
    if (rest === undefined || this.#lookOn < Infinity) return undefined;
    const piece: Piece = { rows, width, stride: this.#stride, columns: this.#cells, ...rest };
    return this.#join === undefined ? this.#labelled(piece) : this.#judged(piece, chunk, this.#join);
  }

  /** The rows; where those without a label are to be left out, the others. */
  #labelled(piece: Piece): Piece {
    const labels = piece.labels[PRIMARY_LABEL];
    const { unjudged = 'refuse' } = this.#options;
    if (labels === undefined || unjudged === 'refuse') return piece;
    const kept = Array.from(labels.keys()).filter(row => !Number.isNaN(labels[row]));
    this.#unlabelled += labels.length - kept.length;
    return unjudged === 'keep' || kept.length === labels.length ? piece : pickRows(piece, kept);
  }

  /** A column that every table must have. */
  #column(name: string): number {
    const column = this.#columns.get(name);
    if (column !== undefined) return column;
    throw new ListwiseError('column-unknown', `a table has no column ${quote(name)}, as ${this.#first!.file} has`);
  }

  /** The rows with the labels of judgments beside the table; those that are to be left out are gone. */
  #judged(piece: Piece, chunk: TableChunk, join: JudgmentJoin): Piece {
    const column = this.#column(this.roles.document!);
    const labels: number[] = [];
    const kept: number[] = [];
    let row = 0;
    for (const { id, rows } of piece.queries) {
      for (const end = row + rows; row < end; row++) {
        const document = chunk.text(column, row) ?? '';
        const label = join.label(id, document, (code, detail) => {
          const { place, where } = chunk.place(column, row);
          return new ListwiseError(code, `${where}${detail}`, place);
        });
        if (label === undefined) continue;
        kept.push(row);
        labels.push(label);
      }
    }
    const some = kept.length === piece.rows ? piece : pickRows(piece, kept);
    return { ...some, labels: { ...some.labels, [PRIMARY_LABEL]: Float64Array.from(labels) } };
  }

  #queries(chunk: TableChunk): { id: string; rows: number }[] {
    const name = this.roles.query!;
    const column = this.#column(name);
    let row = 0;
    return chunk.runs(column).map(({ id, rows }) => {
      if (id === undefined || id === '') {
        const { place, where } = chunk.place(column, row);
        throw new ListwiseError('query-missing', `${where}column ${quote(name)} names no query`, place);
      }
      row += rows;
      return { id, rows };
    });
  }

  #checked(chunk: TableChunk, { name, use, code, problem }: NumberColumn): Float64Array {
    if (problem(Number.NaN) === undefined && !this.#columns.has(name))
      return new Float64Array(chunk.rows).fill(Number.NaN);
    const column = this.#column(name);
    const values = new Float64Array(chunk.rows);
    chunk.numbers(column, true, values);
    for (let row = 0; row < values.length; row++) {
      const allowed = problem(values[row]!);
      if (allowed === undefined) {
        this.#withNumbers.add(name);
        continue;
      }
      const { place, where } = chunk.place(column, row);
      const value = chunk.text(column, row);
      // A text column without a single number is not a column of numbers with a mistake in it.
      if (values[row] === NO_NUMBER && !this.#withNumbers.has(name) && !values.some(Number.isFinite)) {
        const detail = `column ${quote(name)} holds text such as ${quote(value ?? '')}, which cannot be a ${use}; name a column of numbers`;
        throw new ListwiseError('column-type', detail, place);
      }
      const shown = value === undefined || value === '' ? 'nothing' : quote(value);
      throw new ListwiseError(
        code,
        `${where}${use} in column ${quote(name)} is ${shown}; it must be ${allowed}`,
        place,
      );
    }
    return values;
  }

  #feature(chunk: TableChunk, f: number, feature: TableFeature): void {
    const { rows } = chunk;
    const base = f * this.#stride;
    const cells = this.#cells;
    const column = this.#columns.get(feature.name);
    if (column === undefined) {
      cells.fill(Number.NaN, base, base + rows);
      return;
    }
    if (feature.kind === 'category') {
      for (let i = 0; i < rows; i++) {
        const level = chunk.text(column, i);
        cells[base + i] = level === undefined || this.#missing.has(level) ? Number.NaN : feature.code(level);
      }
      return;
    }
    if (this.#numbers.length < rows) this.#numbers = new Float64Array(rows);
    const values = this.#numbers;
    if (feature.kind === 'date') chunk.dates(column, values);
    else chunk.numbers(column, false, values);
    let finite = 0;
    for (let i = 0; i < rows; i++) {
      const value = values[i]!;
      cells[base + i] = value;
      const kept = cells[base + i]!;
      if (kept - kept === 0) {
        finite++;
        if (value > WHOLE || value < -WHOLE || feature.kind === 'date') noteRounding(feature, value, kept);
      } else if (!Number.isNaN(kept)) this.#bad(chunk, column, i, feature);
    }
    if (finite > 0) feature.someNumber = true;
  }

  /** Remembers the first value that is none of its kind, or too large for float32. */
  #bad(chunk: TableChunk, column: number, row: number, feature: TableFeature): void {
    feature.bad ??= { value: chunk.text(column, row) ?? '', ...chunk.place(column, row) };
  }

  #rounded(): ReadonlyMap<string, number> | undefined {
    const found = this.#features.filter(({ kind, rounding }) => kind !== 'date' && rounding > 0);
    return found.length === 0 ? undefined : new Map(found.map(({ name, rounding }) => [name, rounding]));
  }

  #description(): DataDescription | undefined {
    const { query, document, labels, weight, position, initialScore, ignored } = this.roles;
    const kinds = this.#features.flatMap(({ name, kind }) => (kind === 'number' ? [] : [[name, kind] as const]));
    return {
      schema: DESCRIPTION_FORMAT,
      roles: {
        ...(query !== undefined && { query }),
        ...(document !== undefined && { document }),
        ...(labels.length > 0 && { labels: Object.fromEntries(labels.map(({ name, column }) => [name, column])) }),
        ...(weight !== undefined && { weight }),
        ...(position !== undefined && { position }),
        ...(initialScore !== undefined && { initialScore }),
      },
      kinds: { ...Object.fromEntries(ignored.map(name => [name, 'ignore' as const])), ...Object.fromEntries(kinds) },
      missing: [...new Set([...(this.#options.missing ?? []), ...(this.#options.description?.missing ?? [])])],
      categories: Object.fromEntries(
        this.#features.flatMap(({ name, kind, levels }) => (kind === 'category' ? [[name, levels]] : [])),
      ),
    };
  }

  /** Says once what was recognised; to be called when some rows were right. */
  tell(): void {
    if (!this.#told) for (const note of this.roles.notes) this.#options.note?.(note);
    this.#told = true;
  }

  /** What is wrong with the features of the rows so far. */
  problem(): ListwiseError | undefined {
    return featuresProblem(this.#features);
  }

  /** To be called after the last row. */
  finish(): void {
    const problem = this.problem();
    if (problem !== undefined) throw problem;
    if (this.#rows === 0 && this.#options.part === undefined) {
      throw new ListwiseError('data-empty', 'the table has no rows', { file: this.#first?.file });
    }
    this.tell();
    this.#outside?.finish();
    this.#join?.finish();
    if (this.#unlabelled > 0) {
      const done = this.#options.unjudged === 'keep' ? 'kept' : 'left out';
      tell(this.#options, { unlabelled: { documents: this.#unlabelled, done } });
    }
    const rounded = this.#rounded();
    if (rounded !== undefined) tell(this.#options, { rounded });
    const times = this.#features.filter(({ kind, rounding }) => kind === 'date' && rounding > 0);
    if (times.length > 0) {
      tell(this.#options, { times: new Map(times.map(({ name, rounding }) => [name, rounding])) });
    }
    const unknown = this.#features.filter(feature => feature.unknownLevels > 0);
    if (unknown.length > 0) {
      tell(this.#options, { unknownLevels: new Map(unknown.map(({ name, unknownLevels }) => [name, unknownLevels])) });
    }
  }
}

/** Features are float32: of whole numbers beyond 2^24 it holds some only, and of days no minutes. */
function noteRounding(feature: TableFeature, value: number, kept: number): void {
  const error = Math.abs(value - kept);
  if (error > feature.rounding && (feature.kind === 'date' || Number.isInteger(value))) feature.rounding = error;
}
