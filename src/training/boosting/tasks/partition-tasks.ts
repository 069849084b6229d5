/** Tasks that take the rows of a node to its children, chunk by chunk. */
import { CHUNK_ROWS } from '../memory/layout.js';
import type { TaskThread } from './task-thread.js';

export function partitionTasks({ kernels, memory }: TaskThread) {
  const { at, partition: node, chunks } = memory;
  const documentsOf = (chunk: number) => Math.min(CHUNK_ROWS, node.documents - CHUNK_ROWS * chunk);
  /** Of a chunk, in the index and where it is kept until it has its places. */
  const offsetOf = (chunk: number) => 4 * (node.start + CHUNK_ROWS * chunk);

  return {
    /** Rows of a chunk by the side they go to. */
    partition(chunk: number): void {
      const [from, n] = [offsetOf(chunk), documentsOf(chunk)];
      const { bins, binsShift, wide } = node;
      const { partitionChunk, partitionWide } = kernels.partition;
      const lefts = wide
        ? partitionWide(bins, at.goesLeft, at.index + from, n, at.scratch + from)
        : partitionChunk(bins, binsShift, at.goesLeft, at.index + from, n, at.scratch + from);
      chunks.at(chunk).lefts = lefts;
    },

    /** Rows of a chunk to their places in the children. */
    place(chunk: number): void {
      const { lefts, before } = chunks.at(chunk);
      const left = node.start + before;
      const right = node.start + node.leftDocuments + CHUNK_ROWS * chunk - before;
      const kept = at.scratch + offsetOf(chunk);
      kernels.partition.placeChunk(kept, documentsOf(chunk), lefts, at.index + 4 * left, at.index + 4 * right);
    },
  };
}
