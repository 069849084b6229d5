/** Reads tables that are text, a window at a time: one pass, without anything but this code. */
import { ListwiseError, quote } from '../../../errors.js';
import type { Input } from '../../../io/inputs.js';
import type { ReadOptions, RowSink } from '../reader.js';
import type { Scanner } from './scanner.js';
import { TablePieces } from './table-pieces.js';
import { TextChunk } from './text-chunk.js';
import { TextWindow } from './text-window.js';

export async function streamTextTables(
  inputs: readonly Input[],
  options: ReadOptions,
  sink: RowSink,
  newScanner: () => Scanner,
  windowBytes?: number,
): Promise<void> {
  const pieces = new TablePieces(options);
  for (const input of inputs) {
    const window = new TextWindow(input, windowBytes);
    try {
      await streamTable(window, newScanner(), pieces, sink);
    } finally {
      await window.close();
    }
    if (pieces.hopeless) break;
  }
  pieces.finish();
}

async function streamTable(window: TextWindow, scanner: Scanner, pieces: TablePieces, sink: RowSink): Promise<void> {
  const { file } = window;
  const chunk = new TextChunk(window, scanner, pieces.missing);
  let columns = 0;
  do {
    await window.fill();
    const { end, lines, problem } = scanner.scan(window);
    const { names } = scanner;
    if (names.length > columns) checkNames(scanner, window);
    if (columns === 0 && names.length > 0) {
      pieces.open([...names], file, options => sink.begin(options), scanner.grows);
    } else if (names.length > columns) pieces.widen(names, file);
    columns = names.length;
    if (chunk.rows > 0 && columns > 0) {
      const piece = pieces.piece(chunk);
      if (piece !== undefined) await sink.append(piece);
    }
    if (problem !== undefined) throw pieces.problem() ?? window.placed(problem);
    if (columns > 0 && pieces.problem() === undefined) pieces.tell();
    window.consume(end, lines);
  } while (!window.last && !pieces.hopeless);
  if (columns === 0) throw new ListwiseError('data-empty', 'the file is empty', { file });
  if (!pieces.hopeless) pieces.close(scanner.names, file);
}

function checkNames(scanner: Scanner, window: TextWindow): void {
  const { names } = scanner;
  for (const [index, name] of names.entries()) {
    if (name !== '' && names.indexOf(name) === index) continue;
    const at = scanner.nameAt(index);
    const place = at === undefined ? { file: window.file } : window.place(at);
    if (name === '') throw new ListwiseError('table-syntax', `column ${index + 1} has no name`, place);
    throw new ListwiseError('feature-duplicate', `two columns are called ${quote(name)}`, place);
  }
}
