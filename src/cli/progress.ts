/** A progress line with time left, for work that may take over two seconds. Silent where nobody is watching. */

const SHOW_AFTER_MS = 1000;
const REFRESH_MS = 100;
const WIDTH = 24;

export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

export class Progress {
  readonly #stream: ProgressStream | undefined;
  readonly #label: string;
  readonly #now: () => number;
  readonly #start: number;
  #drawn = 0;
  #visible = false;

  /** Draws on `stream` only where it is a terminal and `quiet` is not set. */
  constructor(label: string, options: { stream: ProgressStream; quiet: boolean; now?: () => number }) {
    this.#label = label;
    this.#stream = options.stream.isTTY && !options.quiet ? options.stream : undefined;
    this.#now = options.now ?? (() => performance.now());
    this.#start = this.#now();
  }

  /** `done` of `total` units are finished; `detail` is shown behind the bar. */
  update(done: number, total: number, detail = ''): void {
    if (this.#stream === undefined) return;
    const now = this.#now();
    const elapsed = now - this.#start;
    if (elapsed < SHOW_AFTER_MS || now - this.#drawn < REFRESH_MS) return;
    this.#drawn = now;
    this.#visible = true;
    const share = total > 0 ? Math.min(1, done / total) : 0;
    const filled = Math.round(share * WIDTH);
    const left = share > 0 ? `${duration((elapsed / share) * (1 - share))} left` : '';
    const line = `${this.#label} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(100 * share)} % ${left} ${detail}`;
    this.#stream.write(`\r\x1b[2K${line.slice(0, (this.#stream.columns ?? 80) - 1).trimEnd()}`);
  }

  /** Takes the line away. */
  finish(): void {
    if (this.#visible) this.#stream?.write('\r\x1b[2K');
    this.#visible = false;
  }
}

/** 4000 ms as "4 s", longer ones as "2 min 05 s". */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${String(seconds % 60).padStart(2, '0')} s`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`;
}
