/** A thread that parses chunks for the reader: one message in, one piece out. */
import type { ParserOptions } from '../../../kernels/parse-svmlight.js';
import type { Service } from '../../../threads/crew.js';
import { type Chunk, ChunkParser } from './chunk-parser.js';
import type { ParsedPiece } from './piece.js';

export interface ParseJob {
  readonly memories: readonly WebAssembly.Memory[];
  readonly options: ParserOptions;
}

/** Parse a chunk in one of the thread's memories, or go on with the chunk that is there. */
export interface ParseRequest {
  readonly slot: number;
  readonly chunk?: Chunk;
}

export function serve({ memories, options }: ParseJob): Service<ParseRequest, ParsedPiece> {
  const parsers = memories.map(memory => new ChunkParser(memory, options));
  return {
    answer({ slot, chunk }) {
      const parser = parsers[slot]!;
      return chunk === undefined ? parser.next() : parser.parse(chunk);
    },
  };
}
