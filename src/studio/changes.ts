/**
 * Tells pages that something has changed, by a number for what there is now. Whoever connects is told the number at
 * once: a page that asks for a view after it has heard a number is shown that or something newer, and one that hears
 * another number asks again. So no change can be missed, whenever it comes.
 */
import type { ServerResponse } from 'node:http';

export class Changes {
  readonly #watchers = new Set<ServerResponse>();
  readonly #look: () => Promise<string>;
  #seen = '';
  #number = 0;
  #looking = false;

  /** `look` says what there is: another text, once anything has changed. */
  constructor(look: () => Promise<string>) {
    this.#look = look;
  }

  watch(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    this.#tell(response);
    this.#watchers.add(response);
    response.on('close', () => this.#watchers.delete(response));
  }

  get watched(): boolean {
    return this.#watchers.size > 0;
  }

  /** One at a time: what changes meanwhile is seen by the next. */
  async look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const now = await this.#look().catch(() => this.#seen);
    this.#looking = false;
    if (now === this.#seen) return;
    this.#seen = now;
    this.#number++;
    for (const watcher of this.#watchers) this.#tell(watcher);
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.end();
  }

  #tell(watcher: ServerResponse): void {
    watcher.write(`data: ${this.#number}\n\n`);
  }
}
