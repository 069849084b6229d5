/**
 * Judgments beside data that has no labels of its own: which grade a document of a query has. Three forms are
 * distinguished by the name and the first line: a table (query, document, grade), a list as RankLib's users write it
 * (`3 qid:1 # d7 its title`), and TREC's qrels (`1 0 d7 3`).
 */
import { ListwiseError, type Place, quote } from '../../errors.js';
import type { Input } from '../../io/inputs.js';
import { columnOf, fields, finiteNumber, textLines } from '../../io/text-lines.js';
import type { Dataset } from '../dataset.js';
import type { Reader, ReadOptions } from '../readers/reader.js';
import { readQrels } from '../readers/trec/qrels.js';
import { collect } from './collect.js';

type Grades = Map<string, Map<string, number>>;

export class Judgments {
  readonly file: string;
  /** Ids of queries in order of first appearance. */
  readonly queries: readonly string[];
  readonly #grades: Grades;

  constructor(file: string, grades: Grades) {
    if (grades.size === 0) throw new ListwiseError('data-empty', 'the file holds no judgments', { file });
    this.file = file;
    this.queries = [...grades.keys()];
    this.#grades = grades;
  }

  /** Undefined where the document was not judged. */
  grade(query: string, document: string): number | undefined {
    return this.#grades.get(query)?.get(document);
  }

  *documents(): Iterable<[query: string, document: string]> {
    for (const [query, grades] of this.#grades) for (const document of grades.keys()) yield [query, document];
  }
}

/** `table` reads the file where its name says that it is a table. */
export async function readJudgments(input: Input, table: Reader | undefined, options: ReadOptions): Promise<Judgments> {
  if (table !== undefined) {
    const data = await collect(sink => table.stream([input], options, sink), options);
    if (data.documentIds === undefined) {
      throw new ListwiseError(
        'column-unknown',
        'judgments name documents; name their column with `documentColumn: COLUMN`',
        { file: input.name },
      );
    }
    return judgmentsOf(data, input.name);
  }
  for await (const { lines } of textLines(input)) {
    const first = lines.find(line => line.trim() !== '' && !line.startsWith('#'));
    if (first === undefined) continue;
    if (/^\s*\S+\s+qid:/.test(first)) break;
    return judgmentsOf(await readQrels(input), input.name);
  }
  return readList(input);
}

/** Documents without a label, which qrels have for negative ones, were not judged. */
function judgmentsOf(data: Dataset, file: string): Judgments {
  const grades: Grades = new Map();
  const labels = data.label();
  for (const [q, query] of data.queryIds.entries()) {
    const ofQuery = new Map<string, number>();
    for (let row = data.offsets[q]!; row < data.offsets[q + 1]!; row++) {
      const document = data.documentIds!.get(row);
      if (document === '')
        throw new ListwiseError('table-syntax', `a row of query ${quote(query)} names no document`, { file });
      if (!Number.isNaN(labels[row]!)) add(ofQuery, query, document, labels[row]!, { file });
    }
    grades.set(query, ofQuery);
  }
  return new Judgments(file, grades);
}

function add(grades: Map<string, number>, query: string, document: string, grade: number, place: Place): void {
  if (grades.has(document)) {
    throw new ListwiseError(
      'document-duplicate',
      `document ${quote(document)} is judged twice for query ${quote(query)}`,
      place,
    );
  }
  grades.set(document, grade);
}

/** `GRADE qid:QUERY # DOCUMENT …`: the document is the first word of the comment, or what follows `docid =`. */
async function readList(input: Input): Promise<Judgments> {
  const file = input.name;
  const grades: Grades = new Map();
  for await (const { lines, first } of textLines(input)) {
    for (const [i, line] of lines.entries()) {
      const hash = line.indexOf('#');
      const { values, starts } = fields(hash < 0 ? line : line.slice(0, hash));
      if (values.length === 0) continue; // blank lines and comments
      const place = (character: number) => ({ file, line: first + i, column: columnOf(line, character) });
      const [gradeText, queryText] = values;
      const grade = finiteNumber(gradeText!);
      if (grade === undefined)
        throw new ListwiseError(
          'label-invalid',
          `grade ${quote(gradeText!)} is not a finite number`,
          place(starts[0]!),
        );
      const query = /^qid:(.+)$/.exec(queryText ?? '')?.[1];
      if (query === undefined || values.length > 2) {
        const at = starts[query === undefined ? 1 : 2] ?? line.length;
        throw new ListwiseError('row-ragged', 'a judgment is written GRADE qid:QUERY # DOCUMENT', place(at));
      }
      const comment = hash < 0 ? '' : line.slice(hash + 1);
      const document = (/(?:^|\s)docid\s*=\s*(\S+)/.exec(comment) ?? /(\S+)/.exec(comment))?.[1];
      if (document === undefined)
        throw new ListwiseError('row-ragged', 'no document is named after #', place(hash < 0 ? line.length : hash));
      let ofQuery = grades.get(query);
      if (ofQuery === undefined) grades.set(query, (ofQuery = new Map()));
      add(ofQuery, query, document, grade, place(hash));
    }
  }
  return new Judgments(file, grades);
}
