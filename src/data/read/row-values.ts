/** What the values that go with a document may be; one function a kind, giving what is allowed where a value is not. */

/** The primary label is a finite number; a document may lack a further one (NaN). */
export function labelProblem(primary: boolean): (value: number) => string | undefined {
  return value => {
    if (Number.isFinite(value) || (!primary && Number.isNaN(value))) return undefined;
    if (!primary) return 'a finite number, or nan or nothing where the document lacks this label';
    return Number.isNaN(value)
      ? 'a finite number (`unjudged: drop` leaves such documents out, `unjudged: keep` keeps them without a label)'
      : 'a finite number';
  };
}

export function weightProblem(value: number): string | undefined {
  return value >= 0 && value !== Infinity ? undefined : 'a finite number of at least 0';
}

/** Positions are whole numbers, from 0 or from 1 on (see positions.ts); NaN where unknown. */
export function positionProblem(value: number): string | undefined {
  const fine = Number.isNaN(value) || (Number.isSafeInteger(value) && value >= 0);
  return fine ? undefined : 'a whole number of at least 0, or nan or nothing where it is unknown';
}

export function scoreProblem(value: number): string | undefined {
  return Number.isFinite(value) ? undefined : 'a finite number';
}
