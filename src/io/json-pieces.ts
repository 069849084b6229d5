/**
 * JSON in pieces: V8 has no text of more than 512 MiB, and a model or a state may be longer than that. The pieces one
 * after the other are what `JSON.stringify` would give. Nothing here needs Node.
 */

/** About so many numbers make a piece. */
const PIECE = 1 << 16;

/** As the second argument of `JSON.stringify`; it is given values only, and what it gives is not replaced again. */
export type Replace = (key: string, value: unknown) => unknown;

/** `piece` is about how many numbers go into one. */
export function* jsonPieces(value: unknown, replace?: Replace, piece = PIECE): Generator<string, void> {
  if (weight(value, piece) <= piece) yield JSON.stringify(value, replace) ?? '';
  else if (Array.isArray(value)) yield* listPieces(value, replace, piece);
  else if (ArrayBuffer.isView(value) && replace !== undefined) yield* jsonPieces(replace('', value), undefined, piece);
  else if (typeof value === 'object' && value !== null) yield* objectPieces(value, replace, piece);
  else yield JSON.stringify(value); // a long text
}

function* listPieces(list: readonly unknown[], replace: Replace | undefined, piece: number): Generator<string, void> {
  let before = '[';
  for (let from = 0; from < list.length; ) {
    let to = from;
    let sum = 0;
    for (; to < list.length && sum <= piece; to++) sum += weight(list[to], piece);
    // The last one was too much, be it alone or with the others.
    if (to - from > 1 && sum > piece) to--;
    yield before;
    if (to - from > 1) yield JSON.stringify(list.slice(from, to), replace).slice(1, -1);
    else if (list[from] === undefined) yield 'null';
    else yield* jsonPieces(list[from], replace, piece);
    before = ',';
    from = to;
  }
  yield ']';
}

function* objectPieces(value: object, replace: Replace | undefined, piece: number): Generator<string, void> {
  let before = '{';
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    yield* jsonPieces(part, replace, piece);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

/** About how many numbers a value is as long as, counted until there are more than `most`. */
function weight(value: unknown, most: number): number {
  if (typeof value === 'string') return 1 + (value.length >> 3);
  if (typeof value !== 'object' || value === null) return 1;
  if (ArrayBuffer.isView(value)) return 1 + (value.byteLength >> 3);
  let sum = 1;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && sum <= most; i++) sum += weight(value[i], most);
  } else {
    for (const key in value) {
      if (sum > most) break;
      sum += 1 + weight((value as Record<string, unknown>)[key], most);
    }
  }
  return sum;
}
