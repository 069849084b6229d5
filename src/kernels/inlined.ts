import type { KernelExports } from './exports.js';

/**
 * A kernel whose bytes are part of the program: it loads alike in Node and in a browser, where there is no file to
 * read. The build writes them, as base64, into modules called KERNEL-bytes.js.
 */
export class InlinedKernel<K extends keyof KernelExports> {
  readonly #base64: string;
  /** Undefined where it was not tried yet, or cannot be had. */
  #module: WebAssembly.Module | undefined;
  #tried = false;

  constructor(base64: string) {
    this.#base64 = base64;
  }

  /**
   * Whether it runs here. A browser may lack WebAssembly or its vectors, a page may forbid compiling, and a browser's
   * main thread may refuse to wait for it; `compile` does not wait.
   */
  get available(): boolean {
    if (!this.#tried) {
      this.#tried = true;
      const bytes = this.#bytes();
      try {
        this.#module = bytes && new WebAssembly.Module(bytes);
      } catch {
        this.#module = undefined;
      }
    }
    return this.#module !== undefined;
  }

  /** Compiles it in the background, so that the first use need not. */
  async compile(): Promise<void> {
    if (this.#tried) return;
    const bytes = this.#bytes();
    const module = await (bytes && WebAssembly.compile(bytes).catch(() => undefined));
    this.#module ??= module;
    this.#tried = true;
  }

  /** An instance over a memory of the caller's. */
  over(memory: WebAssembly.Memory): KernelExports[K] {
    if (!this.available) throw new Error('WebAssembly with vectors is not available here');
    return new WebAssembly.Instance(this.#module!, { env: { memory } }).exports as KernelExports[K];
  }

  /** Undefined where they are no program that this engine knows. */
  #bytes(): Uint8Array | undefined {
    if (typeof WebAssembly === 'undefined') return undefined;
    const bytes = Uint8Array.from(atob(this.#base64), character => character.charCodeAt(0));
    return WebAssembly.validate(bytes) ? bytes : undefined;
  }
}
