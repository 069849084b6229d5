/** Whether a group file says of the rows what they say themselves. */
import { ListwiseError, quote } from '../../errors.js';
import { type Groups, idRuns, type RowsByQuery, type Run, sizeRuns } from './groups.js';

/** Goes along the runs of rows. */
class Walk {
  readonly #runs: Iterator<Run>;
  #run: Run | undefined;
  /** The row it is at, from 0, and the first one of its run. */
  row = 0;
  #start = 0;

  constructor(data: RowsByQuery) {
    this.#runs = data.runs()[Symbol.iterator]();
    this.#run = this.#next();
  }

  #next(): Run | undefined {
    const { done, value } = this.#runs.next();
    return done ? undefined : value;
  }

  get id(): string {
    return this.#run!.id;
  }

  get atStart(): boolean {
    return this.row === this.#start;
  }

  /** Rows of this run that are still to come. */
  get left(): number {
    return this.#start + this.#run!.rows - this.row;
  }

  /** At most `left` rows on. */
  go(rows: number): void {
    this.row += rows;
    if (this.left > 0) return;
    this.#run = this.#next();
    this.#start = this.row;
  }
}

export function checkAgreement(data: RowsByQuery, groups: Groups): void {
  const { file, lines, sum } = groups;
  const walk = new Walk(data);
  const disagree = (line: number, what: string): never => {
    const detail = `${what}, but row ${walk.row + 1} of the data is of query ${quote(walk.id)}`;
    throw new ListwiseError('query-mismatch', detail, { file, line });
  };
  if (sum === data.rows) {
    let group = 0;
    for (const { rows } of sizeRuns(groups)) {
      group++;
      const id = quote(walk.id);
      if (!walk.atStart) disagree(group, `group ${group} starts within query ${id}`);
      const { left } = walk;
      walk.go(Math.min(rows, left));
      if (rows > left) disagree(group, `group ${group} has ${rows} rows from query ${id} on`);
    }
  } else if (lines === data.rows) {
    for (const { id, rows } of idRuns(groups)) {
      for (const end = walk.row + rows; walk.row < end; walk.go(Math.min(end - walk.row, walk.left))) {
        if (id !== walk.id) disagree(walk.row + 1, `the group file says query ${quote(id)}`);
      }
    }
  } else {
    const sizes = sum === undefined ? '' : ` that sum to ${sum}`;
    throw new ListwiseError('row-count', `${lines} lines${sizes}, but the data has ${data.rows} rows`, { file });
  }
}
