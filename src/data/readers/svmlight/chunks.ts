/** Cuts an input into chunks of whole lines: ranges that threads read themselves, or text put into a slot's memory. */
import { type FileHandle, open, stat } from 'node:fs/promises';
import type { Input } from '../../../io/inputs.js';
import { textRoom } from '../../../kernels/parse-svmlight.js';
import { type Chunk, markBytes } from './chunk-parser.js';
import { lineTooLong, MAX_LINE_BYTES } from './line-limit.js';

export interface ChunkSource {
  /** The next chunk, its text in `memory` where it is not for the parsing thread to read; undefined after the last. */
  next(memory: WebAssembly.Memory): Promise<Chunk | undefined>;
  close(): Promise<void>;
}

const LF = 10;

/** Chunks of about `bytes` bytes: so many, and the rest of the last line. */
export async function chunksOf(input: Input, bytes: number): Promise<ChunkSource> {
  const file = await plainFile(input);
  return file === undefined ? new StreamChunks(input.open(), bytes) : new RangeChunks(file, bytes);
}

interface PlainFile {
  handle: FileHandle;
  size: number;
}

/**
 * The file behind an input, where it can be read in any order; undefined for what must be read as a stream: pipes, gzip
 * by any name, memory. A file that cannot be opened is left to the stream too, which words the error.
 */
async function plainFile(input: Input): Promise<PlainFile | undefined> {
  if (input.path === undefined || input.gzip) return undefined;
  const status = await stat(input.path).catch(() => undefined);
  if (!status?.isFile() || status.size === 0) return undefined;
  const handle = await open(input.path).catch(() => undefined);
  if (handle === undefined) return undefined;
  const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0);
  if (buffer[0] !== 0x1f || buffer[1] !== 0x8b) return { handle, size: status.size };
  await handle.close();
  return undefined;
}

class RangeChunks implements ChunkSource {
  readonly #file: PlainFile;
  readonly #bytes: number;
  #from = 0;

  constructor(file: PlainFile, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  async next(): Promise<Chunk | undefined> {
    const { handle, size } = this.#file;
    const from = this.#from;
    if (from === size) return undefined;
    this.#from = Math.min(from + this.#bytes, size);
    return { kind: 'range', file: handle.fd, from, to: this.#from, size };
  }

  close(): Promise<void> {
    return this.#file.handle.close();
  }
}

class StreamChunks implements ChunkSource {
  readonly #parts: AsyncIterator<Uint8Array>;
  readonly #bytes: number;
  /** Bytes that the stream has given and no chunk has taken. */
  #pending: Uint8Array = new Uint8Array(0);
  #started = false;

  constructor(stream: AsyncIterable<Uint8Array>, bytes: number) {
    this.#parts = stream[Symbol.asyncIterator]();
    this.#bytes = bytes;
  }

  async next(memory: WebAssembly.Memory): Promise<Chunk | undefined> {
    let text = textRoom(memory, this.#bytes);
    let length = 0;
    let checked = 0;
    while (length < this.#bytes || text[length - 1] !== LF) {
      if (this.#pending.length === 0) {
        const part = await this.#parts.next();
        if (part.done) break;
        this.#pending = part.value;
        continue;
      }
      const missing = this.#bytes - length;
      if (missing <= 0) {
        // What is no text may have no line end at all; the line is refused as it is.
        if (text.subarray(checked, length).includes(0)) break;
        checked = length;
      }
      // Once there is enough, only to the end of the line.
      const taken = this.#take(missing > 0 ? missing : this.#pending.indexOf(LF) + 1 || this.#pending.length);
      if (length + taken.length > text.length) {
        if (length > MAX_LINE_BYTES) throw lineTooLong();
        text = textRoom(memory, 2 * length + taken.length);
      }
      text.set(taken, length);
      length += taken.length;
    }
    if (length === 0) return undefined;
    const from = this.#started ? 0 : markBytes(text.subarray(0, length));
    this.#started = true;
    return { kind: 'text', from, to: length };
  }

  #take(bytes: number): Uint8Array {
    const taken = this.#pending.subarray(0, bytes);
    this.#pending = this.#pending.subarray(bytes);
    return taken;
  }

  async close(): Promise<void> {
    await this.#parts.return?.();
  }
}
