// The parts of the WebAssembly JavaScript interface that this folder uses. Node's types do not declare WebAssembly; the DOM's
// types do.
type BufferSource = ArrayBufferView | ArrayBuffer

declare namespace WebAssembly {
  interface MemoryDescriptor {
    initial: number
    maximum?: number
    shared?: boolean
  }
  class Memory {
    constructor(descriptor: MemoryDescriptor)
    readonly buffer: ArrayBuffer | SharedArrayBuffer
  }
  class Module {
    constructor(source: BufferSource)
  }
  class Table {
    get(index: number): ((...args: number[]) => number) | null
    set(index: number, value: ((...args: number[]) => number) | null): void
  }
  class Global {
    value: unknown
  }
  type Exports = Record<string, unknown>
  type Imports = Record<string, Record<string, unknown>>
  class Instance {
    constructor(module: Module, imports?: Imports)
    readonly exports: Exports
  }
  interface WebAssemblyInstantiatedSource {
    module: Module
    instance: Instance
  }
  function compile(source: BufferSource): Promise<Module>
  function instantiate(
    source: BufferSource,
    imports?: Imports,
  ): Promise<WebAssemblyInstantiatedSource>
  function instantiate(module: Module, imports?: Imports): Promise<Instance>
}
