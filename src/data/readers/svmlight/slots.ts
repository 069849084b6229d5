/**
 * Where chunks are parsed: a slot is a memory and a thread that parses in it. Every slot holds one chunk at a time, so
 * their number bounds how much is in flight.
 */
import { Worker } from 'node:worker_threads';
import { ListwiseError } from '../../../errors.js';
import { type ParserOptions, parserMemory } from '../../../kernels/parse-svmlight.js';
import { type Chunk, ChunkParser } from './chunk-parser.js';
import type { WorkerData, WorkerReply, WorkerRequest } from './parse-worker.js';
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
  readonly slots: Slot[] = [];
  readonly #workers: Worker[] = [];

  constructor(threads: number, options: ParserOptions) {
    for (let i = 0; i < threads; i++) this.#start(options);
  }

  #start(options: ParserOptions): void {
    const memories = Array.from({ length: SLOTS_A_WORKER }, parserMemory);
    const workerData: WorkerData = { memories, options };
    const worker = new Worker(new URL('./parse-worker.js', import.meta.url), { workerData });
    const waiting: (PromiseWithResolvers | undefined)[] = memories.map(() => undefined);
    let dead: Error | undefined;
    const die = (error: Error) => {
      dead ??= error;
      for (const promise of waiting) promise?.reject(dead);
    };
    worker.on('error', die);
    worker.on('exit', code => die(new Error(`a parsing thread ended with code ${code}`)));
    worker.on('message', ({ slot, piece, failure }: WorkerReply) => {
      if (piece !== undefined) waiting[slot]!.resolve(piece);
      else waiting[slot]!.reject(new ListwiseError(failure!.code, failure!.detail));
      waiting[slot] = undefined;
    });
    const ask = (request: WorkerRequest): Promise<ParsedPiece> => {
      if (dead !== undefined) return Promise.reject(dead);
      const answer = new Promise<ParsedPiece>((resolve, reject) => {
        waiting[request.slot] = { resolve, reject };
      });
      answer.catch(() => {}); // whoever awaits it is told; it may be given up before its turn
      worker.postMessage(request);
      return answer;
    };
    this.#workers.push(worker);
    for (const [slot, memory] of memories.entries()) {
      this.slots.push({ memory, parse: chunk => ask({ slot, chunk }), next: () => ask({ slot }) });
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map(worker => worker.terminate()));
  }
}

interface PromiseWithResolvers {
  resolve(piece: ParsedPiece): void;
  reject(error: Error): void;
}
