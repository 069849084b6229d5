/** Where chunks are parsed: a slot is a memory and a thread, with one chunk at a time. */
import { type ParserOptions, parserMemory } from '../../../kernels/parse-svmlight.js';
import { Crew } from '../../../threads/crew.js';
import { type Chunk, ChunkParser } from './chunk-parser.js';
import type { ParseJob, ParseRequest } from './parse-worker.js';
import type { ParsedPiece } from './piece.js';

export interface Slot {
  readonly memory: WebAssembly.Memory;
  parse(chunk: Chunk): Promise<ParsedPiece>;
  /** The next piece of the chunk; the one before has been used up. */
  next(): Promise<ParsedPiece>;
}

/** Two, so that a worker parses one chunk while the rows of the other are taken. */
const SLOTS_A_WORKER = 2;

/** A memory of this thread kept for the next small input: each reserves a large range of addresses. */
let spare: WebAssembly.Memory | undefined;
const LARGEST_SPARE = 1 << 24;

export function borrowMemory(): WebAssembly.Memory {
  const memory = spare ?? parserMemory();
  spare = undefined;
  return memory;
}

export function returnMemory(memory: WebAssembly.Memory): void {
  if (memory.buffer.byteLength <= LARGEST_SPARE) spare = memory;
}

/** Parses in this thread. */
export class InlineSlot implements Slot {
  readonly memory: WebAssembly.Memory;
  readonly #parser: ChunkParser;

  constructor(memory: WebAssembly.Memory, options: ParserOptions) {
    this.memory = memory;
    this.#parser = new ChunkParser(memory, options);
  }

  async parse(chunk: Chunk): Promise<ParsedPiece> {
    return this.#parser.parse(chunk);
  }

  async next(): Promise<ParsedPiece> {
    return this.#parser.next();
  }
}

export class WorkerSlots {
  readonly slots: readonly Slot[];
  readonly #crew: Crew<ParseRequest, ParsedPiece>;

  constructor(threads: number, options: ParserOptions) {
    const jobs = Array.from(
      { length: threads },
      (): ParseJob => ({ options, memories: Array.from({ length: SLOTS_A_WORKER }, parserMemory) }),
    );
    const crew = new Crew<ParseRequest, ParsedPiece>(new URL('./parse-worker.js', import.meta.url), jobs);
    this.#crew = crew;
    this.slots = jobs.flatMap(({ memories }, thread) =>
      memories.map((memory, slot) => ({
        memory,
        parse: chunk => crew.ask(thread, { slot, chunk }),
        next: () => crew.ask(thread, { slot }),
      })),
    );
  }

  close(): Promise<void> {
    return this.#crew.close();
  }
}
