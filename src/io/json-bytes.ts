/**
 * The value of a JSON file of any size. One text holds at most 512 MiB: of a longer file the parts are found by their
 * brackets and commas, and read one by one. `JSON.parse` reads every part, so what is no JSON is refused as ever.
 */

/** Longer ones are read in parts. */
const PIECE = 1 << 27;
/** How deep what is longer than a piece may be nested: each level is gone over once more. */
const DEEPEST = 32;

const [QUOTE, COMMA, COLON, OPEN_LIST, BACKSLASH, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('",:[\\]{}');

const BLANKS = new Set(Buffer.from(' \t\n\r'));

/** Throws what `JSON.parse` throws. `piece` is how many bytes are read at once. */
export function parseJsonBytes(bytes: Uint8Array, piece = PIECE, depth = 0): unknown {
  if (bytes.length <= piece) return JSON.parse(textOf(bytes));
  if (depth > DEEPEST) throw new SyntaxError('nested too deeply for its size');
  const start = skipBlanks(bytes, 0);
  if (bytes[start] === OPEN_LIST) return parseList(bytes.subarray(start), piece, depth);
  if (bytes[start] === OPEN_OBJECT) return parseObject(bytes.subarray(start), piece, depth);
  return JSON.parse(textOf(bytes)); // a long text, or what is none
}

function parseList(bytes: Uint8Array, piece: number, depth: number): unknown[] {
  const list: unknown[] = [];
  for (const group of groups(bytes, CLOSE_LIST!, piece)) {
    if (group.length > piece) list.push(parseJsonBytes(group, piece, depth + 1));
    else for (const item of JSON.parse(`[${textOf(group)}]`) as unknown[]) list.push(item);
  }
  return list;
}

function parseObject(bytes: Uint8Array, piece: number, depth: number): object {
  const object = {};
  // As `JSON.parse` does it: a key named __proto__ is a key.
  const put = (key: string, value: unknown) =>
    Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
  for (const group of groups(bytes, CLOSE_OBJECT!, piece)) {
    if (group.length <= piece) {
      for (const [key, value] of Object.entries(JSON.parse(`{${textOf(group)}}`) as object)) put(key, value);
      continue;
    }
    const start = skipBlanks(group, 0);
    const end = group[start] === QUOTE ? endOfText(group, start) : start;
    const colon = skipBlanks(group, end);
    if (group[colon] !== COLON) throw new SyntaxError('a key without its value');
    put(JSON.parse(textOf(group.subarray(start, end))), parseJsonBytes(group.subarray(colon + 1), piece, depth + 1));
  }
  return object;
}

/** Members of a list or an object, as many as fit a piece together; one that does not comes alone. */
function* groups(bytes: Uint8Array, close: number, piece: number): Generator<Uint8Array, void> {
  let from = 1;
  let last = from; // where the member begins that is being looked at
  for (;;) {
    const at = nextAtTop(bytes, last);
    const byte = bytes[at];
    if (byte === undefined) break;
    if (at - from > piece && last > from) {
      yield bytes.subarray(from, last - 1);
      from = last;
    }
    const ends = byte !== COMMA;
    if (skipBlanks(bytes, last) === at && !(ends && last === 1)) break; // nothing before or after a comma
    if (at - from > piece || ends) {
      yield bytes.subarray(from, at);
      from = at + 1;
    }
    last = at + 1;
    if (!ends) continue;
    if (byte !== close || skipBlanks(bytes, at + 1) < bytes.length) break;
    return;
  }
  throw new SyntaxError('brackets that do not match, or the text ends too soon');
}

/** For texts of strangers: objects and arrays within each other, and in all. */
export interface BracketLimits {
  readonly deepest: number;
  readonly most: number;
  /** Called where there are more. */
  exceeded(what: 'deepest' | 'most'): never;
}

/**
 * Where the next comma or closing bracket is that is within no bracket opened on the way: behind the value that begins
 * at `from`. The length of the text where there is none.
 */
export function nextAtTop(bytes: Uint8Array, from: number, end = bytes.length, limits?: BracketLimits): number {
  let [depth, parts] = [0, 0];
  for (let at = from; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfText(bytes, at, end) - 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth++;
      parts++;
      if (limits !== undefined && depth > limits.deepest) limits.exceeded('deepest');
      if (limits !== undefined && parts > limits.most) limits.exceeded('most');
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      if (depth === 0) return at;
      depth--;
    } else if (byte === COMMA && depth === 0) return at;
  }
  return end;
}

/** Behind the quotation mark that ends the text beginning at `at`. */
function endOfText(bytes: Uint8Array, at: number, limit = bytes.length): number {
  for (let end = at + 1; end < limit; end++) {
    if (bytes[end] === BACKSLASH) end++;
    else if (bytes[end] === QUOTE) return end + 1;
  }
  throw new SyntaxError('a text without its end');
}

function skipBlanks(bytes: Uint8Array, at: number): number {
  let next = at;
  while (next < bytes.length && BLANKS.has(bytes[next]!)) next++;
  return next;
}

/** Of memory that threads share, too. */
function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('utf8');
}
