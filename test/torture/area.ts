/** Something that is tried again and again, each time as another seed has it. */
import type { Random } from '#listwise/numeric/random.js';

/** How often something was tried: 0 where it did not come to that. A failure is thrown. */
export type Attempt = (random: Random) => Promise<number>;

export interface Area {
  readonly name: string;
  /** What one attempt is, as the table counts them. */
  readonly unit: 'kill' | 'mutation' | 'fault' | 'race' | 'limit' | 'page';
  /** Its part of the time, beside the others. */
  readonly share: number;
  /** How many attempts follow each other in one process. */
  readonly batch: number;
  /** Why it cannot be tried here; undefined where it can. */
  readonly missing?: () => string | undefined;
  /** Takes away what an attempt that was killed may have left outside its files. */
  clear?(folder: string): void;
  /**
   * Makes what attempts start from, and hands `work` one attempt after another. `folder` is its own; what other areas
   * may use, too, is in `shared`. Both are empty, or as an earlier batch has left them.
   */
  open(folder: string, work: (attempt: Attempt) => Promise<void>, shared: string): Promise<void>;
}
