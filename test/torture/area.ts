/** Something that is tried again and again, each time as another seed has it. */
import type { Random } from '#listwise/numeric/random.js';

/** `tried` counts, `passed over` does not: it did not come to what was to be tried. A failure is thrown. */
export type Attempt = (random: Random) => Promise<'tried' | 'passed over'>;

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
  /** Makes what attempts start from, in an empty folder, and hands `work` one attempt after another. */
  /** Takes away what an attempt that was killed may have left outside its files. */
  clear?(folder: string): void;
  open(folder: string, work: (attempt: Attempt) => Promise<void>): Promise<void>;
}
