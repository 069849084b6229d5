/** The part of WebAssembly's interface that kernels use; Node's types leave it to the DOM library. */
declare namespace WebAssembly {
  type ModuleImports = Record<string, ((...args: never[]) => unknown) | Memory>;

  function validate(bytes: Uint8Array): boolean;
  function compile(bytes: Uint8Array): Promise<Module>;

  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Record<string, ModuleImports>);
    readonly exports: unknown;
  }
}
