/** Loads a compiled kernel over a memory of the caller's. Modules are compiled once a thread; instances are cheap. */
import { readFileSync } from 'node:fs';

const modules = new Map<string, WebAssembly.Module>();

export function loadKernel<Exports extends WebAssembly.Exports>(
  name: string,
  memory: WebAssembly.Memory,
  imports: WebAssembly.ModuleImports = {},
): Exports {
  let module = modules.get(name);
  if (module === undefined) {
    module = new WebAssembly.Module(readFileSync(new URL(`./${name}.wasm`, import.meta.url)));
    modules.set(name, module);
  }
  return new WebAssembly.Instance(module, { env: { memory, ...imports } }).exports as Exports;
}
