/**
 * Addresses that a process may use, which `ulimit -v` limits. WebAssembly reserves 10 GiB of them for each memory, used
 * or not, and a thread that cannot reserve its own ends the whole process without a word.
 */
import { readFileSync } from 'node:fs';
import { ListwiseError, plural } from '../errors.js';

/** In bytes. */
export interface AddressSpace {
  readonly limit: number;
  readonly used: number;
}

/** What a thread reserves when it starts, and some to spare: seen were 0.6 to 0.9 GiB. */
const THREAD_BYTES = 2 ** 30;

export const ADDRESS_ADVICE =
  'lift that limit, or set NODE_OPTIONS=--disable-wasm-trap-handler, with which fewer addresses are reserved';

/** Undefined where nothing limits it, or the system does not say. */
export function addressSpace(
  limits = textOf('/proc/self/limits'),
  status = textOf('/proc/self/status'),
): AddressSpace | undefined {
  const [, limit] = /^Max address space\s+(\d+)/m.exec(limits) ?? [];
  const [, kilobytes] = /^VmSize:\s+(\d+) kB/m.exec(status) ?? [];
  if (limit === undefined || kilobytes === undefined) return undefined;
  return { limit: Number(limit), used: 1024 * Number(kilobytes) };
}

/** To be called before so many threads are started. */
export function refuseThreads(threads: number, space = addressSpace()): void {
  const needed = THREAD_BYTES * (threads + 1);
  if (threads === 0 || space === undefined || space.limit - space.used >= needed) return;
  const gigabytes = (bytes: number) => (bytes / 2 ** 30).toFixed(1);
  const { limit, used } = space;
  throw new ListwiseError(
    'data-too-large',
    `this process may use ${gigabytes(limit)} GiB of addresses (ulimit -v), of which ${gigabytes(limit - used)} are left; to start ${plural(threads, 'thread')} takes ${gigabytes(needed)}: ${ADDRESS_ADVICE}`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // no Linux
  }
}
