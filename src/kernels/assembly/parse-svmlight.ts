// asc: --enable threads --sharedMemory --maximumMemory 32768
// Parses lines of SVMlight text into columns. The reference is src/data/readers/svmlight/parse-svmlight.reference.ts;
// whatever is not plainly right here stops at its line, and the reference says what is wrong with it.
//
// One long file because it is one state machine: its stages share where they are and how the last one ended.
//
// The text ends in a line feed and is followed by 16 readable bytes. Feature f of row i is at
// columns + f * stride + 4 * i.

import { digitCount, digits, farFromMidpoint, ZEROS } from './common/digits';
import {
  Description, Document, DOCUMENT_BYTES, MAX_FEATURES, POWERS_AT, Run, RUN_BYTES, Status,
} from './layouts/parse-svmlight';

/** Number(text), for the numbers that the quick ways below cannot get exactly right. */
@external("env", "exactNumber")
declare function exactNumber(at: usize, length: usize): f64;

/** Told of feature values beyond the whole numbers that float32 holds. */
@external("env", "largeValue")
declare function largeValue(feature: u32, row: u32, at: usize, length: usize): void;

const LF: u32 = 10;
const CR: u32 = 13;
const TAB: u32 = 9;
const BLANK: u32 = 32;
const HASH: u32 = 35;
const QID: u32 = 0x3a646971; // "qid:", little-endian

const MOST_FEATURES = <u32>MAX_FEATURES;

// Where the parts of a piece are; set by layout().
let labels: usize = 0;
let runs: usize = 0;
let documents: usize = 0;
let stamps: usize = 0;
let columns: usize = 0;
let stride: usize = 0;
let width: u32 = 0;
let capacity: u32 = 0;
let featureBase: u32 = 1;
let needQuery: bool = true;

// The piece so far.
let rows: u32 = 0;
let lines: u32 = 0;
let runCount: u32 = 0;
let documentCount: u32 = 0;
/** One more than the highest feature index seen since the last layout. */
let seen: u32 = 0;
/** Line numbers (from 1, within the piece) and addresses of the first rows with and without a query; 0 for none. */
let withQuery: u32 = 0;
let withoutQuery: u32 = 0;
let withoutQueryAt: usize = 0;

// How the last line ended.
let position: usize = 0;
let status: Status = Status.done;
let wanted: u32 = 0;
/** Where the number that was read last ends. */
let after: usize = 0;
let stamp: u32 = 0;

export function setUp(base: u32, queryNeeded: bool): void {
  featureBase = base;
  needQuery = queryNeeded;
  let power: f64 = 1;
  for (let i: usize = 0; i < 23; i++) {
    store<f64>(POWERS_AT + (i << 3), power);
    power *= 10;
  }
}

export function layout(
  labelsAt: usize, runsAt: usize, documentsAt: usize, stampsAt: usize, columnsAt: usize,
  strideBytes: usize, columnCount: u32, rowCapacity: u32,
): void {
  labels = labelsAt;
  runs = runsAt;
  documents = documentsAt;
  stamps = stampsAt;
  columns = columnsAt;
  stride = strideBytes;
  width = columnCount;
  capacity = rowCapacity;
  seen = 0;
  stamp = 0;
  memory.fill(stamps, 0, <usize>width << 2);
}

/** Makes the first `count` rows of the first `columnCount` columns absent. */
export function clear(columnCount: u32, count: u32, absent: f32): void {
  const pattern = f32x4.splat(absent);
  for (let f: u32 = 0, at = columns; f < columnCount; f++, at += stride) {
    // Columns are padded, so a store may run up to three cells past the rows.
    for (let cell = at, end = at + (<usize>count << 2); cell < end; cell += 16) v128.store(cell, pattern);
  }
}

export function begin(): void {
  rows = 0;
  lines = 0;
  runCount = 0;
  documentCount = 0;
  withQuery = 0;
  withoutQuery = 0;
}

/** Writes what is known of the piece to `out`. */
export function describe(out: usize): void {
  const description = changetype<Description>(out);
  description.rows = rows;
  description.lines = lines;
  description.position = <u32>position;
  description.runCount = runCount;
  description.documentCount = documentCount;
  description.width = seen;
  description.withQuery = withQuery;
  description.withoutQuery = withoutQuery;
  description.withoutQueryAt = <u32>withoutQueryAt;
  description.wanted = wanted;
}

/** Parses lines from `from` to `end`, adding rows to the piece. */
export function parse(from: usize, end: usize): i32 {
  position = from;
  while (position < end) {
    if (rows == capacity) return Status.full;
    const next = parseLine(position);
    if (next == 0) return status;
    position = next;
    lines++;
  }
  return Status.done;
}

@inline function reject(): usize {
  status = Status.rejected;
  return 0;
}

@inline function isBlank(c: u32): bool {
  return c == BLANK || c == TAB;
}

/** Whether a token ends before this byte: a blank, a comment, the end of the line. */
@inline function endsToken(c: u32, p: usize): bool {
  return c == BLANK || c == LF || c == TAB || c == HASH || (c == CR && load<u8>(p, 1) == LF);
}

function skipBlanks(p: usize): usize {
  while (isBlank(load<u8>(p))) p++;
  return p;
}

/** Returns the start of the next line, or 0 with `status` set. */
function parseLine(start: usize): usize {
  let p = skipBlanks(start);
  const c: u32 = load<u8>(p);
  if (c == LF) return p + 1;
  if (c == HASH || c == CR) {
    const end = endOfLine(p);
    return end == 0 ? reject() : end + 1;
  }
  const label = decimal(p, true);
  if (after == 0 || !(abs(label) < Infinity)) return reject();
  p = skipBlanks(after);
  const query = p;
  if (load<u32>(p) == QID) {
    p = endOfQuery(p + 4);
    if (p == 0) return reject();
  } else if (needQuery) return reject();
  const queryEnd = p;
  p = parseFeatures(p, columns + (<usize>rows << 2), false);
  if (p == 0) {
    if (status != Status.done) return 0;
    p = parseFeatures(queryEnd, columns + (<usize>rows << 2), true);
    if (p == 0) return 0;
  }
  const end = endOfLine(p);
  if (end == 0) return reject();
  store<f64>(labels + (<usize>rows << 3), label);
  keepDocument(p, end);
  keepQuery(start, query + 4, queryEnd);
  rows++;
  return end + 1;
}

/**
 * Features up to the end of the line or its comment. Ids that do not rise stop it with status `done`: it is then called
 * again with `anyOrder`, where every column remembers the row that set it last, so that none is set twice.
 */
function parseFeatures(start: usize, row: usize, anyOrder: bool): usize {
  const columnStride = stride;
  const columnCount = width;
  const base = featureBase;
  let p = start;
  let last: i32 = -1;
  let highest: i32 = -1;
  if (anyOrder) stamp++;
  for (;;) {
    let c: u32 = load<u8>(p);
    while (isBlank(c)) c = load<u8>(++p);
    let id = c - 48;
    if (id > 9) break;
    let digit: u32 = <u32>load<u8>(++p) - 48;
    while (digit < 10) {
      id = id * 10 + digit;
      if (id > MOST_FEATURES) return reject();
      digit = <u32>load<u8>(++p) - 48;
    }
    if (digit != 10) return reject(); // the colon follows the digits
    const index = id - base; // wraps below the base
    if (index >= columnCount) {
      if (index >= MOST_FEATURES) return reject();
      status = Status.wider;
      wanted = index + 1;
      return 0;
    }
    p++;
    let value: f32;
    const first: u32 = <u32>load<u8>(p) - 48;
    if (first < 10 && load<u8>(p, 1) == BLANK) {
      value = <f32>first; // most values are a single digit
      p++;
    } else {
      value = shortValue(p);
      if (after == 0) return reject();
      if (abs(value) >= 16777216) largeValue(index, rows, p, after - p);
      p = after;
    }
    if (anyOrder) {
      const at = stamps + (<usize>index << 2);
      if (load<u32>(at) == stamp) return reject();
      store<u32>(at, stamp);
      highest = max(highest, <i32>index);
    } else if (<i32>index <= last) {
      status = Status.done;
      return 0;
    }
    last = <i32>index;
    store<f32>(row + <usize>index * columnStride, value);
  }
  if (!endsToken(load<u8>(p), p)) return reject();
  seen = max(seen, <u32>(max(last, highest) + 1));
  return p;
}

/** A feature value of at most seven digits, a point and at most eight more, as usual; others as valueOf does. */
function shortValue(start: usize): f32 {
  const negative = load<u8>(start) == 45;
  let p = start + <usize>negative;
  let word = load<u64>(p) ^ ZEROS;
  let count = digitCount(word);
  if (count - 1 > 6) return <f32>valueOf(start); // none, or too many
  let mantissa = digits(word, count);
  let scale: f64 = 1;
  p += <usize>count;
  if (load<u8>(p) == 46) {
    word = load<u64>(p, 1) ^ ZEROS;
    count = digitCount(word);
    if (count != 0) {
      scale = load<f64>(POWERS_AT + (<usize>count << 3));
      mantissa = mantissa * <u64>(<i64>scale) + digits(word, count);
    }
    p += <usize>count + 1;
  }
  const c: u32 = load<u8>(p);
  if (c != BLANK && !endsToken(c, p)) return <f32>valueOf(start);
  after = p;
  const size = <f64>(<i64>mantissa) / scale;
  return <f32>(negative ? -size : size);
}

/** Any feature value: a number that fits float32, or NaN for a missing one. `after` is 0 where it is neither. */
function valueOf(p: usize): f64 {
  const c: u32 = load<u8>(p);
  const lower = c | 32;
  let length: usize = 0;
  if (lower == 110) { // n
    const word = load<u32>(p) | 0x20202020;
    if (word == 0x6c6c756e) length = 4; // null
    else if ((word & 0xffffff) == 0x6e616e) length = 3; // nan
  }
  if (length > 0 || endsToken(c, p)) {
    after = endsToken(load<u8>(p + length), p + length) ? p + length : 0;
    return NaN;
  }
  const value = decimal(p, false);
  if (!(abs(<f32>value) < Infinity)) after = 0;
  return value;
}

/**
 * [+-] digits [. digits] [e [+-] digits], up to the end of the token; `after` is 0 where the token is no such number.
 * With `exact` the float64 nearest to it; without, any float64 that rounds to the same float32 as that one.
 */
function decimal(start: usize, exact: bool): f64 {
  let p = start;
  let c: u32 = load<u8>(p);
  const negative = c == 45;
  if (negative || c == 43) p++;
  let mantissa: u64 = 0;
  let from = p;
  let digit: u32 = <u32>load<u8>(p) - 48;
  while (digit < 10) {
    mantissa = mantissa * 10 + digit;
    digit = <u32>load<u8>(++p) - 48;
  }
  let count = p - from;
  let power: i32 = 0;
  if (load<u8>(p) == 46) {
    from = ++p;
    digit = <u32>load<u8>(p) - 48;
    while (digit < 10) {
      mantissa = mantissa * 10 + digit;
      digit = <u32>load<u8>(++p) - 48;
    }
    count += p - from;
    power = -<i32>(p - from);
  }
  after = 0;
  if (count == 0) return 0;
  if ((load<u8>(p) | 32) == 101) {
    c = load<u8>(++p);
    const down = c == 45;
    if (down || c == 43) p++;
    from = p;
    let exponent: i32 = 0;
    digit = <u32>load<u8>(p) - 48;
    while (digit < 10) {
      exponent = min(exponent * 10 + <i32>digit, 100000); // far beyond any number, and never too long to count
      digit = <u32>load<u8>(++p) - 48;
    }
    if (p == from) return 0;
    power += down ? -exponent : exponent;
  }
  if (!endsToken(load<u8>(p), p)) return 0;
  after = p;
  // Up to 18 digits the mantissa is right; so is the power where it can matter.
  if (count <= 18 && power >= -22 && power <= 22) {
    const scale = load<f64>(POWERS_AT + (<usize>abs(power) << 3));
    const whole = <f64>(<i64>mantissa);
    const size = power < 0 ? whole / scale : whole * scale;
    // One rounding of two exact numbers is the nearest float64.
    if (mantissa < (1 << 53) || (!exact && farFromMidpoint(size))) return negative ? -size : size;
  }
  return exactNumber(start, p - start);
}

/** The end of the id that starts here, or 0 where there is none or it holds a byte that no line may. */
function endOfQuery(start: usize): usize {
  let p = start;
  for (;; p++) {
    const c: u32 = load<u8>(p);
    if (c > HASH) continue;
    if (c == 0) return 0;
    if (endsToken(c, p)) break;
    if (c == CR) return 0;
  }
  return p == start ? 0 : p;
}

/** The line feed (or carriage return before it) that ends this line; 0 where a byte comes first that none may hold. */
function endOfLine(start: usize): usize {
  const lf = i8x16.splat(10);
  const cr = i8x16.splat(13);
  let p = start;
  for (;;) {
    const bytes = v128.load(p);
    const found = i8x16.bitmask(
      v128.or(v128.or(i8x16.eq(bytes, lf), i8x16.eq(bytes, cr)), i8x16.eq(bytes, i8x16.splat(0))),
    );
    if (found == 0) {
      p += 16;
      continue;
    }
    p += ctz(found);
    const c: u32 = load<u8>(p);
    if (c == LF) return p;
    return c == CR && load<u8>(p, 1) == LF ? p + 1 : 0;
  }
}

/** Starts a run of rows of one query, or lengthens the last one. A run is the id's address and length, and its rows. */
function keepQuery(line: usize, id: usize, end: usize): void {
  const given = end > id;
  if (given) {
    if (withQuery == 0) withQuery = lines + 1;
  } else if (withoutQuery == 0) {
    withoutQuery = lines + 1;
    withoutQueryAt = line;
  }
  const length = given ? end - id : 0;
  if (runCount > 0) {
    const run = changetype<Run>(runs + <usize>(runCount - 1) * RUN_BYTES);
    if (run.length == <u32>length && sameBytes(run.id, id, length)) {
      run.rows++;
      return;
    }
  }
  const run = changetype<Run>(runs + <usize>runCount * RUN_BYTES);
  run.id = <u32>id;
  run.length = <u32>length;
  run.rows = 1;
  runCount++;
}

function sameBytes(a: usize, b: usize, length: usize): bool {
  for (let i: usize = 0; i < length; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
  return true;
}

/** Keeps address and length of the document id in the comment at `p`, length 0 for none. `end` is the line feed. */
function keepDocument(p: usize, end: usize): void {
  const document = changetype<Document>(documents + <usize>rows * DOCUMENT_BYTES);
  document.id = 0;
  document.length = 0;
  if (load<u8>(p) != HASH) return;
  if (load<u8>(end - 1) == CR) end--;
  let id = namedDocument(p + 1, end);
  let idEnd = endOfWord(id, end);
  if (id == 0) {
    id = skipBlanks(p + 1);
    idEnd = endOfWord(id, end);
    // Only a single word is an id.
    if (skipBlanksTo(idEnd, end) != end) return;
  }
  if (idEnd == id) return;
  document.id = <u32>id;
  document.length = <u32>(idEnd - id);
  documentCount++;
}

/** The X of the first `docid = X` among the words, or 0. */
function namedDocument(p: usize, end: usize): usize {
  while (p < end) {
    if (end - p > 5 && load<u32>(p) == 0x69636f64 && load<u8>(p, 4) == 100) { // "doci", "d"
      let q = skipBlanksTo(p + 5, end);
      if (q < end && load<u8>(q) == 61) {
        q = skipBlanksTo(q + 1, end);
        if (q < end) return q;
      }
    }
    p = skipBlanksTo(endOfWord(p, end), end);
  }
  return 0;
}

function skipBlanksTo(p: usize, end: usize): usize {
  while (p < end && isBlank(load<u8>(p))) p++;
  return p;
}

function endOfWord(p: usize, end: usize): usize {
  while (p < end && !isBlank(load<u8>(p))) p++;
  return p;
}
