/**
 * The MPI library of this machine, called through koffi. Open MPI's handles are addresses of its variables, those of
 * MPICH and its kin (Intel MPI, MVAPICH, Cray) are numbers fixed by their common binary interface.
 */
import type { LibraryHandle } from 'koffi';
import { ListwiseError } from '../errors.js';

type Koffi = typeof import('koffi')['default'];

/** Handles are pointers in one library and numbers in the other. */
type Handle = unknown;

export interface MpiLibrary {
  /** What the library says of itself, shortened. */
  readonly version: string;
  init(): void;
  rank(): number;
  size(): number;
  allreduce(numbers: Int32Array | BigInt64Array | Float64Array, operation: 'sum' | 'max'): void;
  /** In place: the sum of the piece of this rank comes to the start. */
  reduceScatter(numbers: Int32Array, pieces: Int32Array): void;
  allgather(part: Uint8Array, all: Uint8Array, counts: Int32Array, starts: Int32Array): void;
  gather(rank: number, ...pieces: Parameters<MpiLibrary['allgather']>): void;
  broadcast(bytes: Uint8Array): void;
  barrier(): void;
  /** Says whether all ranks have come to it, each time it is asked. */
  beginBarrier(): () => boolean;
  abort(code: number): void;
  finalize(): void;
}

const NAMES: Readonly<Partial<Record<string, readonly string[]>>> = {
  linux: ['libmpi.so.40', 'libmpich.so.12', 'libmpi.so.12', 'libmpi_cray.so.12', 'libmpi.so'],
  darwin: ['libmpi.dylib'],
};

/** Loads the package; `load` is replaced in tests. */
export async function loadKoffi(load: () => Promise<{ default: Koffi }> = () => import('koffi')): Promise<Koffi> {
  try {
    return (await load()).default;
  } catch (error) {
    if (!/MODULE_NOT_FOUND/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    throw new ListwiseError(
      'dependency-missing',
      'training on several ranks calls MPI through koffi, which is not installed; run: npm install koffi',
    );
  }
}

/**
 * The first library that is there: `named` alone where it is given, else the one that the launcher belongs to first.
 */
export async function loadMpiLibrary(
  launcher: string,
  named?: string,
  platform: string = 'linux',
): Promise<MpiLibrary> {
  const koffi = await loadKoffi();
  const usual = NAMES[platform] ?? [];
  const isMpich = (name: string) => Number(/mpich|so\.12/.test(name));
  const ordered = /MPICH/.test(launcher) ? [...usual].sort((a, b) => isMpich(b) - isMpich(a)) : usual;
  const tried = named === undefined ? ordered : [named];
  const failures: string[] = [];
  for (const name of tried) {
    try {
      return libraryOf(koffi.load(name, { global: true }));
    } catch (error) {
      failures.push(error instanceof Error ? error.message.split('\n')[0]! : String(error));
    }
  }
  throw new ListwiseError(
    'dependency-missing',
    `no MPI library was found (${tried.join(', ')}): ${failures[0] ?? 'none is known for this system'}; install Open MPI or MPICH, or name the library by LISTWISE_MPI`,
  );
}

const THREAD_FUNNELED = 1;
/** As long as the longest that a library may say of itself. */
const VERSION_BYTES = 8192;
/** At least those of any library. */
const [HANDLE_BYTES, STATUS_BYTES] = [8, 64];

function libraryOf(library: LibraryHandle): MpiLibrary {
  const { handle, comm, types, operations, inPlace } = handlesOf(library);
  const foreign = (result: string, name: string, ...parameters: string[]) =>
    library.func(`${result} ${name}(${parameters.join(', ')})`);
  const init = foreign('int', 'MPI_Init_thread', 'void*', 'void*', 'int', '_Out_ int*');
  const commRank = foreign('int', 'MPI_Comm_rank', handle, '_Out_ int*');
  const commSize = foreign('int', 'MPI_Comm_size', handle, '_Out_ int*');
  const version = foreign('int', 'MPI_Get_library_version', 'void*', '_Out_ int*');
  const allreduce = foreign('int', 'MPI_Allreduce', 'void*', 'void*', 'int', handle, handle, handle);
  const reduceScatter = foreign('int', 'MPI_Reduce_scatter', 'void*', 'void*', 'void*', handle, handle, handle);
  const allgatherv = foreign(
    'int',
    'MPI_Allgatherv',
    'void*',
    'int',
    handle,
    'void*',
    'void*',
    'void*',
    handle,
    handle,
  );
  const gatherv = foreign(
    'int',
    'MPI_Gatherv',
    'void*',
    'int',
    handle,
    'void*',
    'void*',
    'void*',
    handle,
    'int',
    handle,
  );
  const broadcast = foreign('int', 'MPI_Bcast', 'void*', 'int', handle, 'int', handle);
  const barrier = foreign('int', 'MPI_Barrier', handle);
  const ibarrier = foreign('int', 'MPI_Ibarrier', handle, 'void*');
  const test = foreign('int', 'MPI_Test', 'void*', '_Out_ int*', 'void*');
  const abort = foreign('int', 'MPI_Abort', handle, 'int');
  const finalize = foreign('int', 'MPI_Finalize');
  const check = (code: number) => {
    if (code !== 0) throw new Error(`MPI failed with code ${code}`);
  };
  const number = (of: typeof commRank) => {
    const out = [0];
    check(of(comm, out));
    return out[0]!;
  };
  const text = Buffer.alloc(VERSION_BYTES);
  const length = [0];
  check(version(text, length));
  return {
    version: shortVersion(text.toString('latin1', 0, length[0])),
    init: () => check(init(null, null, THREAD_FUNNELED, [0])),
    rank: () => number(commRank),
    size: () => number(commSize),
    allreduce(numbers, operation) {
      const type =
        numbers instanceof Int32Array ? types.int32 : numbers instanceof BigInt64Array ? types.int64 : types.float64;
      check(allreduce(inPlace, numbers, numbers.length, type, operations[operation], comm));
    },
    reduceScatter: (numbers, pieces) =>
      check(reduceScatter(inPlace, numbers, pieces, types.int32, operations.sum, comm)),
    allgather: (part, all, counts, starts) =>
      check(allgatherv(part, part.length, types.byte, all, counts, starts, types.byte, comm)),
    gather: (rank, part, all, counts, starts) =>
      check(gatherv(part, part.length, types.byte, all, counts, starts, types.byte, rank, comm)),
    broadcast: bytes => check(broadcast(bytes, bytes.length, types.byte, 0, comm)),
    barrier: () => check(barrier(comm)),
    beginBarrier() {
      const request = Buffer.alloc(HANDLE_BYTES);
      const status = Buffer.alloc(STATUS_BYTES);
      check(ibarrier(comm, request));
      return () => {
        const done = [0];
        check(test(request, done, status));
        return done[0] !== 0;
      };
    },
    abort: code => check(abort(comm, code)),
    finalize: () => check(finalize()),
  };
}

interface Handles {
  /** The type of a handle in C. */
  readonly handle: 'void*' | 'int';
  readonly comm: Handle;
  readonly types: Readonly<Record<'byte' | 'int32' | 'int64' | 'float64', Handle>>;
  readonly operations: Readonly<Record<'sum' | 'max', Handle>>;
  readonly inPlace: bigint;
}

function handlesOf(library: LibraryHandle): Handles {
  const address = (name: string): Handle => library.symbol(name, 'char');
  try {
    return {
      handle: 'void*',
      comm: address('ompi_mpi_comm_world'),
      types: {
        byte: address('ompi_mpi_byte'),
        int32: address('ompi_mpi_int32_t'),
        int64: address('ompi_mpi_int64_t'),
        float64: address('ompi_mpi_double'),
      },
      operations: { sum: address('ompi_mpi_op_sum'), max: address('ompi_mpi_op_max') },
      inPlace: 1n,
    };
  } catch {
    return {
      handle: 'int',
      comm: 0x44000000,
      types: { byte: 0x4c00010d, int32: 0x4c000439, int64: 0x4c00083a, float64: 0x4c00080b },
      operations: { sum: 0x58000003, max: 0x58000001 },
      inPlace: 2n ** 64n - 1n,
    };
  }
}

/** `Open MPI v4.1.4`, `MPICH 4.0.2`. */
function shortVersion(text: string): string {
  const mpich = /MPICH Version:\s*(\S+)/.exec(text);
  return mpich ? `MPICH ${mpich[1]}` : text.split(/[,\n]/)[0]!.trim();
}
