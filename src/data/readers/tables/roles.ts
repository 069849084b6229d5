/** Which column of a table is what: named by the user, or recognised by its name; the rest are features. */
import { didYouMean, ListwiseError, quote } from '../../../errors.js';
import type { ColumnKind } from '../../description.js';
import { PRIMARY_LABEL } from '../../primary-label.js';
import type { ReadOptions } from '../reader.js';
import { ColumnKinds } from './kinds.js';

/**
 * Names that are recognised where the user names no column, compared without case, `_`, `-` and blanks. Weight,
 * position and initial score have long names, since a feature may well be called "weight" or "position".
 */
export const recognisedNames = {
  query: ['qid', 'query', 'queryid', 'querycol'],
  document: ['docid', 'doc', 'document', 'documentid', 'docno', 'doccol'],
  label: ['label', 'grade', 'relevance', 'rel', 'judgement', 'judgment', 'target', 'labelcol'],
  weight: ['documentweight'],
  position: ['shownposition'],
  initialScore: ['initialscore'],
} as const;

/** Names under which tables are written, so that they are recognised when read again. */
export const writtenNames = {
  query: 'qid',
  document: 'docid',
  label: PRIMARY_LABEL,
  weight: 'document_weight',
  position: 'shown_position',
  initialScore: 'initial_score',
} as const;

/** A column `label:clicks` holds the label source "clicks". */
export const LABEL_PREFIX = 'label:';

/** What a server's log says of the ranking besides: no features. */
export const servedColumns: readonly string[] = ['served_query', 'served_model', 'served_at', 'served_score'];

type Role = keyof typeof recognisedNames;

/** Column names by what they are. */
export interface Roles {
  readonly query: string | undefined;
  readonly document: string | undefined;
  readonly labels: readonly { readonly name: string; readonly column: string }[];
  readonly weight: string | undefined;
  readonly position: string | undefined;
  readonly initialScore: string | undefined;
  /** Columns that are kept as texts; some are features, too. */
  readonly extras: readonly string[];
  readonly features: readonly { readonly name: string; readonly kind: FeatureKind }[];
  /** Columns that are neither. */
  readonly ignored: readonly string[];
  /** Columns whose role follows from their name alone: nobody said it. */
  readonly recognised: ReadonlyMap<Role, string>;
  /** What a person should know: what was recognised rather than named, and what is left out or doubtful. */
  readonly notes: readonly string[];
}

export type FeatureKind = Exclude<ColumnKind, 'ignore'>;

const ROLE_WORDS: Record<Role, string> = {
  query: 'query',
  document: 'document id',
  label: 'label',
  weight: 'document weight',
  position: 'position',
  initialScore: 'initial score',
};

/** The option that names a role's column, where there is one. */
const ROLE_OPTIONS: Partial<Record<Role, string>> = {
  query: 'queryColumn',
  document: 'documentColumn',
  label: 'labelColumns',
  weight: 'weightColumn',
  position: 'positionColumn',
};

export function assignRoles(columns: readonly string[], options: ReadOptions, file: string): Roles {
  const taken = new Set<string>();
  const recognised: string[] = [];
  const byName = new Map<Role, string>();
  const kinds = new ColumnKinds(options);
  kinds.check(columns, file);

  const take = (column: string, use: string): string => {
    if (taken.has(column)) {
      throw new ListwiseError('option-invalid', `column ${quote(column)} is named twice (again as ${use})`, { file });
    }
    taken.add(column);
    return column;
  };
  const named = (asked: string | undefined, use: string): string | undefined =>
    asked === undefined ? undefined : take(findColumn(columns, asked, use, file), use);
  const recognise = (role: Role): string | undefined => {
    const names: readonly string[] = recognisedNames[role];
    const found = columns.filter(name => !taken.has(name) && names.includes(plain(name)) && !kinds.decided(name));
    const [column] = found;
    if (column === undefined) return undefined;
    if (found.length > 1) {
      if (mayBeSeveral(role, options)) return undefined;
      throw severalCandidates(role, found, file);
    }
    byName.set(role, column);
    recognised.push(`${quote(column)} as the ${ROLE_WORDS[role]}`);
    return take(column, ROLE_WORDS[role]);
  };

  // What is named comes first, so that nothing named is recognised as something else. A description that may be of
  // other data of its kind, such as a model's, counts as far as the columns are there.
  const described = options.description?.roles ?? {};
  const own = options.ownRoles ?? {};
  const column = (asked: string | undefined, known: string | undefined, use: string) =>
    named(asked, use) ?? (known !== undefined && columns.includes(known) ? take(known, use) : undefined);
  const namedQuery = column(options.queryColumn ?? own.query, described.query, 'query');
  const namedDocument = column(options.documentColumn ?? own.document, described.document, 'document id');
  const namedWeight = column(options.weightColumn ?? own.weight, described.weight, 'weight');
  const namedPosition = column(options.positionColumn ?? own.position, described.position, 'position');
  const namedScore = column(own.initialScore, described.initialScore, 'initial score');
  const labels = (options.labelColumns ?? []).map(label => ({
    name: label.name,
    column: named(label.column, `label ${quote(label.name)}`)!,
  }));
  for (const [name, label] of Object.entries(described.labels ?? {})) {
    const there = columns.includes(label) || own.labels?.[name] === label;
    if (labels.some(other => other.name === name) || !there || taken.has(label)) continue;
    labels.push({ name, column: named(label, `label ${quote(name)}`)! });
  }
  const twice = labels.find((label, i) => labels.findIndex(other => other.name === label.name) < i);
  if (twice !== undefined) {
    throw new ListwiseError('option-invalid', `label source ${quote(twice.name)} is named twice; write NAME=COLUMN`);
  }

  const query = namedQuery ?? recognise('query');
  const document = namedDocument ?? recognise('document');
  const weight = namedWeight ?? recognise('weight');
  const position = namedPosition ?? recognise('position');
  const initialScore = namedScore ?? recognise('initialScore');
  const notes: string[] = [];
  const unused: string[] = [];
  if (!labels.some(label => label.name === PRIMARY_LABEL)) {
    const found = recognise('label');
    if (found !== undefined && options.judged === undefined) labels.unshift({ name: PRIMARY_LABEL, column: found });
    else if (found !== undefined) {
      recognised.pop();
      unused.push(found);
      notes.push(`column ${quote(found)} is left out: labels are those of ${options.judged!.file}`);
    }
  }
  for (const column of columns) {
    const name = column.slice(LABEL_PREFIX.length);
    if (taken.has(column) || !column.startsWith(LABEL_PREFIX) || name === '' || kinds.decided(column)) continue;
    if (labels.some(label => label.name === name)) continue;
    recognised.push(`${quote(column)} as label source ${quote(name)}`);
    labels.push({ name, column: take(column, 'label') });
  }

  if (query === undefined && options.outsideQueries === undefined)
    throw missing('query', '`queryColumn: COLUMN`', columns, file);
  if (labels.length === 0 && !options.unlabelled && options.judged === undefined)
    throw missing('label', '`labelColumns: COLUMN`', columns, file);
  if (options.judged !== undefined && document === undefined)
    throw missing('document', '`documentColumn: COLUMN`', columns, file);
  const beside = (options.extraColumns ?? []).map(asked =>
    findColumn(columns, asked, 'column to tell queries apart', file),
  );
  const extras = [...new Set([...beside, ...(options.exactColumns ?? [])])];
  const free = columns.filter(name => !taken.has(name));
  const chosen = options.chosen === undefined ? undefined : new Set(options.chosen(free, false).map(f => free[f]!));
  const features: { name: string; kind: FeatureKind }[] = [];
  const ignored = [...unused];
  for (const name of free) {
    const kind = kinds.kind(name);
    const left = beside.includes(name) && !kinds.decided(name);
    const served = servedColumns.includes(name) && !kinds.decided(name);
    if (kind === 'ignore' || left || served || chosen?.has(name) === false) ignored.push(name);
    else features.push({ name, kind });
  }
  notes.unshift(...tellRoles(recognised, features.length));
  notes.push(...kinds.notes(ignored.filter(name => !extras.includes(name) && !unused.includes(name))));
  for (const { name } of features) {
    const advice = kinds.decided(name) ? undefined : doubt(name);
    if (advice !== undefined) notes.push(advice);
  }
  return {
    query,
    document,
    labels,
    weight,
    position,
    initialScore,
    extras,
    features,
    ignored,
    recognised: byName,
    notes,
  };
}

/** A model knows its features; labels are not needed, so that it does not matter which column has them. */
function mayBeSeveral(role: Role, options: ReadOptions): boolean {
  return role === 'label' && options.unlabelled === true && options.knownFeatures !== undefined;
}

function tellRoles(recognised: readonly string[], features: number): string[] {
  if (recognised.length === 0) return [];
  const rest = features === 1 ? 'the other column is a feature' : `the other ${features} columns are features`;
  return [`took ${recognised.join(', ')}; ${rest}`];
}

function severalCandidates(role: Role, found: readonly string[], file: string): ListwiseError {
  const shown = found.map(quote).join(' and ');
  const which = found.length === 2 ? 'both' : 'all';
  const option = ROLE_OPTIONS[role];
  const advice =
    option === undefined
      ? `leave one out with \`ignore: ${found[0]}\``
      : `say which with ${found.map(name => `\`${option}: ${name}\``).join(' or ')}; leave the other out with \`ignore\`, or it is a feature`;
  return new ListwiseError('column-unknown', `${shown} are ${which} names for the ${ROLE_WORDS[role]}; ${advice}`, {
    file,
  });
}

/** What to say of a feature that is named as ids or labels are: another column has that role. */
function doubt(column: string): string | undefined {
  const is = (role: Role) => (recognisedNames[role] as readonly string[]).includes(plain(column));
  const advice = is('label')
    ? 'if it is a label, a model learns the answer from it'
    : is('query') || is('document')
      ? 'if it is an id, it tells a model nothing'
      : undefined;
  if (advice === undefined) return undefined;
  return `${quote(column)} is taken as a feature; ${advice}: leave it out with \`ignore: ${column}\``;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_\- ]/g, '');
}

/** The column of that name; where none is spelt so, the only one that differs in case alone. */
function findColumn(columns: readonly string[], asked: string, use: string, file: string): string {
  if (columns.includes(asked)) return asked;
  const alike = columns.filter(column => column.toLowerCase() === asked.toLowerCase());
  if (alike.length === 1) return alike[0]!;
  throw new ListwiseError(
    'column-unknown',
    `there is no column ${quote(asked)} to take as ${use}${didYouMean(asked, columns)} The columns are ${listed(columns)}`,
    { file },
  );
}

function missing(role: Role, option: string, columns: readonly string[], file: string): ListwiseError {
  const [only = ''] = columns;
  const other = columns.length === 1 ? /[;,\t|]/.exec(only)?.[0] : undefined;
  if (other !== undefined) {
    return new ListwiseError(
      'column-unknown',
      `the header has a single column, ${quote(only)}: is the table separated by ${quote(other)}? CSV is separated by commas, semicolons or tabs, TSV (.tsv, \`format: tsv\`) by tabs`,
      { file },
    );
  }
  return new ListwiseError(
    'column-unknown',
    `no column is named as the ${ROLE_WORDS[role]} and none is called ${recognisedNames[role].join(', ')}; name one with ${option}; the columns are ${listed(columns)}`,
    { file },
  );
}

function listed(columns: readonly string[]): string {
  const shown = columns.slice(0, 20).map(quote).join(', ');
  return `${shown}${columns.length > 20 ? ` and ${columns.length - 20} more` : ''}`;
}

/** What a column is that came up behind the first rows: roles are known by then. */
export function lateColumn(
  name: string,
  kinds: ColumnKinds,
  roles: Roles,
  file: string,
  options: ReadOptions,
): ColumnKind {
  if (kinds.decided(name)) return kinds.kind(name);
  if (servedColumns.includes(name)) return 'ignore';
  const role = (Object.keys(recognisedNames) as Role[]).find(key =>
    (recognisedNames[key] as readonly string[]).includes(plain(name)),
  );
  const before = role === undefined ? undefined : roles.recognised.get(role);
  if (role !== undefined && before !== undefined && !mayBeSeveral(role, options)) {
    throw severalCandidates(role, [before, name], file);
  }
  const filled = role === 'label' ? roles.labels.length > 0 : role === undefined || roles[role] !== undefined;
  if (filled && !name.startsWith(LABEL_PREFIX)) {
    const kind = kinds.kind(name);
    const advice = kind === 'ignore' ? undefined : doubt(name);
    if (advice !== undefined) options.note?.(advice);
    return kind;
  }
  const option = ROLE_OPTIONS[role ?? 'label'];
  throw new ListwiseError(
    'column-unknown',
    `${quote(name)}, which may be the ${ROLE_WORDS[role ?? 'label']}, first appears far into the file: ${option === undefined ? '' : `name it with \`${option}: ${name}\`, or `}leave it out with \`ignore: ${name}\``,
    { file },
  );
}
