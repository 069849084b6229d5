/** A thread that parses chunks for the reader: one message in, one piece out. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorCode } from '../../../errors.js';
import { ListwiseError } from '../../../errors.js';
import type { ParserOptions } from '../../../kernels/parse-svmlight.js';
import { type Chunk, ChunkParser } from './chunk-parser.js';
import type { ParsedPiece } from './piece.js';

export interface WorkerData {
  memories: WebAssembly.Memory[];
  options: ParserOptions;
}

/** Parse a chunk in one of the worker's memories, or go on with the chunk that is there. */
export interface WorkerRequest {
  slot: number;
  chunk?: Chunk;
}

export interface WorkerReply {
  slot: number;
  piece?: ParsedPiece;
  /** A mistake of the user that no line of the data has. */
  failure?: { code: ErrorCode; detail: string };
}

const { memories, options } = workerData as WorkerData;
const parsers = memories.map(memory => new ChunkParser(memory, options));

parentPort!.on('message', ({ slot, chunk }: WorkerRequest) => {
  parentPort!.postMessage(reply(slot, chunk));
});

function reply(slot: number, chunk: Chunk | undefined): WorkerReply {
  const parser = parsers[slot]!;
  try {
    return { slot, piece: chunk === undefined ? parser.next() : parser.parse(chunk) };
  } catch (error) {
    if (!(error instanceof ListwiseError)) throw error;
    return { slot, failure: { code: error.code, detail: error.detail } };
  }
}
