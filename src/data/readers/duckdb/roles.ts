/** Which column of a table is what: named by the user, or recognised by its name; the rest are features. */
import { didYouMean, ListwiseError, quote } from '../../../errors.js';
import { PRIMARY_LABEL } from '../../dataset.js';
import type { ReadOptions } from '../reader.js';

/**
 * Names that are recognised where the user names no column, compared without case, `_`, `-` and blanks; earlier ones
 * win. Weight, position and initial score have long names, since a feature may well be called "weight" or "position".
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

type Role = keyof typeof recognisedNames;

/** Column names by what they are. */
export interface Roles {
  readonly query: string | undefined;
  readonly document: string | undefined;
  readonly labels: readonly { readonly name: string; readonly column: string }[];
  readonly weight: string | undefined;
  readonly position: string | undefined;
  readonly initialScore: string | undefined;
  readonly features: readonly string[];
  /** What was recognised rather than named, in words; empty where nothing was. */
  readonly recognised: readonly string[];
}

const ROLE_WORDS: Record<Role, string> = {
  query: 'query',
  document: 'document id',
  label: 'label',
  weight: 'document weight',
  position: 'position',
  initialScore: 'initial score',
};

export function assignRoles(columns: readonly string[], options: ReadOptions, file: string): Roles {
  const taken = new Set<string>();
  const recognised: string[] = [];

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
    for (const name of recognisedNames[role]) {
      const column = columns.find(candidate => !taken.has(candidate) && plain(candidate) === name);
      if (column === undefined) continue;
      recognised.push(`${quote(column)} as the ${ROLE_WORDS[role]}`);
      return take(column, ROLE_WORDS[role]);
    }
    return undefined;
  };

  // What is named comes first, so that nothing named is recognised as something else.
  const namedQuery = named(options.queryColumn, 'query');
  const namedDocument = named(options.documentColumn, 'document id');
  const namedWeight = named(options.weightColumn, 'weight');
  const namedPosition = named(options.positionColumn, 'position');
  const labels = (options.labelColumns ?? []).map(({ name, column }) => ({
    name,
    column: named(column, `label ${quote(name)}`)!,
  }));
  const twice = labels.find((label, i) => labels.findIndex(other => other.name === label.name) < i);
  if (twice !== undefined) {
    throw new ListwiseError('option-invalid', `label source ${quote(twice.name)} is named twice; write NAME=COLUMN`);
  }

  const query = namedQuery ?? recognise('query');
  const document = namedDocument ?? recognise('document');
  const weight = namedWeight ?? recognise('weight');
  const position = namedPosition ?? recognise('position');
  const initialScore = recognise('initialScore');
  if (!labels.some(label => label.name === PRIMARY_LABEL)) {
    const column = recognise('label');
    if (column !== undefined) labels.unshift({ name: PRIMARY_LABEL, column });
  }
  for (const column of columns) {
    const name = column.slice(LABEL_PREFIX.length);
    if (taken.has(column) || !column.startsWith(LABEL_PREFIX) || name === '') continue;
    if (labels.some(label => label.name === name)) continue;
    recognised.push(`${quote(column)} as label source ${quote(name)}`);
    labels.push({ name, column: take(column, 'label') });
  }

  if (query === undefined && options.outsideQueries === undefined)
    throw missing('query', '`queryColumn: COLUMN`', columns, file);
  if (labels.length === 0 && !options.unlabelled) throw missing('label', '`labelColumns: COLUMN`', columns, file);
  const features = columns.filter(column => !taken.has(column));
  return { query, document, labels, weight, position, initialScore, features, recognised };
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
  // A table of another delimiter, as spreadsheets of some countries write it, seems to have one column.
  const [only = ''] = columns;
  const other = columns.length === 1 ? /[;,\t|]/.exec(only)?.[0] : undefined;
  if (other !== undefined) {
    return new ListwiseError(
      'column-unknown',
      `the header has a single column, ${quote(only)}: is the table separated by ${quote(other)}? CSV is separated by commas, TSV (.tsv, \`format: tsv\`) by tabs`,
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
