/** A progress line with time left, for work that may take over two seconds. Silent where nobody is watching. */
import { asciiOnly, displayWidth } from '../../report/render/screen.js';
import { duration } from '../../report/words.js';
import { type Environment, takesProgress, takesUnicode } from './terminal.js';

const SHOW_AFTER_MS = 1000;
const REFRESH_MS = 100;
const BAR = 24;
/** Speed is measured from here on after the first update: a resumed run tells all it has done before at once. */
const SETTLE_MS = 250;
const CLEAR_LINE = '\r\x1b[2K';

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** The one line that is on the screen, if any. */
let shown: Progress | undefined;

/** Takes the line away, so that something else can be written; it comes back with the next update. */
export function clearProgress(): void {
  shown?.finish();
}

export class Progress {
  readonly #stream: ProgressStream | undefined;
  readonly #label: string;
  readonly #now: () => number;
  readonly #start: number;
  readonly #showAfter: number;
  readonly #unicode: boolean;
  #first: number | undefined;
  #from = { time: 0, share: 0 };
  #drawn = Number.NEGATIVE_INFINITY;

  /** Draws on `stream` only where it is a terminal and `quiet` is not set. */
  constructor(
    label: string,
    options: { stream: ProgressStream; quiet: boolean; atOnce?: boolean; now?: () => number; env: Environment },
  ) {
    const { env } = options;
    this.#label = label;
    this.#stream = takesProgress(options.stream, env) && !options.quiet ? options.stream : undefined;
    this.#unicode = takesUnicode(env);
    this.#now = options.now ?? (() => performance.now());
    this.#start = this.#now();
    this.#showAfter = options.atOnce ? 0 : SHOW_AFTER_MS;
  }

  /**
   * `done` of `total` units are finished; the total may be unknown. Of `fields` those are shown that there is room for,
   * the first before the others, each as a whole or not at all.
   */
  update(done: number, total: number | undefined, ...fields: readonly string[]): void {
    if (this.#stream === undefined) return;
    const now = this.#now();
    const share = total === undefined ? undefined : total > 0 ? Math.min(1, done / total) : 0;
    this.#first ??= now;
    if (share !== undefined && now - this.#first < SETTLE_MS) this.#from = { time: now, share };
    if (now - this.#start < this.#showAfter || now - this.#drawn < REFRESH_MS) return;
    this.#drawn = now;
    if (shown !== this) clearProgress();
    shown = this;
    const line = fitted(this.#parts(share, now, fields), (this.#stream.columns || 80) - 1);
    this.#stream.write(`${CLEAR_LINE}${this.#unicode ? line : asciiOnly(line)}`);
  }

  /** What could be shown, in the order of the line. */
  #parts(share: number | undefined, now: number, fields: readonly string[]): Part[] {
    const [first, ...others] = fields.filter(Boolean);
    const parts: Part[] = [{ text: this.#label, rank: 0 }];
    if (share === undefined) parts.push({ text: duration(now - this.#start), rank: 1 });
    else {
      const filled = Math.round(share * BAR);
      const speed = (share - this.#from.share) / (now - this.#from.time);
      const left = speed > 0 ? `${duration((1 - share) / speed)} left` : '';
      parts.push(
        { text: `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`, rank: 4 },
        { text: `${Math.floor(100 * share)} %`, rank: 1 },
        { text: left, rank: 2 },
      );
    }
    parts.push({ text: first ?? '', rank: 3 }, ...others.map((text, i) => ({ text, rank: 5 + i })));
    return parts.filter(({ text }) => text !== '');
  }

  /** Takes the line away. */
  finish(): void {
    if (shown !== this) return;
    shown = undefined;
    this.#stream?.write(CLEAR_LINE);
  }
}

/** A piece of the line; those of a low rank are kept first. */
interface Part {
  readonly text: string;
  readonly rank: number;
}

/** The parts for which there is room, joined by blanks; none is cut. */
function fitted(parts: readonly Part[], width: number): string {
  const kept = new Set<Part>();
  let used = -1;
  for (const part of [...parts].sort((a, b) => a.rank - b.rank)) {
    const needed = displayWidth(part.text) + 1;
    if (used + needed > width) continue;
    used += needed;
    kept.add(part);
  }
  return parts
    .filter(part => kept.has(part))
    .map(({ text }) => text)
    .join(' ');
}
