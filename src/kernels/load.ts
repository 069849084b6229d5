/** Loads a compiled kernel over a memory of the caller's. Modules are compiled once a thread; instances are cheap. */
import { readFileSync } from 'node:fs';
import type { KernelExports } from './exports.js';

const modules = new Map<string, WebAssembly.Module>();

export function loadKernel<K extends keyof KernelExports>(
  name: K,
  memory: WebAssembly.Memory,
  imports: WebAssembly.ModuleImports = {},
): KernelExports[K] {
  let module = modules.get(name);
  if (module === undefined) {
    module = new WebAssembly.Module(readFileSync(new URL(`./${name}.wasm`, import.meta.url)));
    modules.set(name, module);
  }
  return new WebAssembly.Instance(module, { env: { memory, ...imports } }).exports as KernelExports[K];
}
