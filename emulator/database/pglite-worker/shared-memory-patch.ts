// Makes the engine's memory a SharedArrayBuffer, so that the main thread can raise a cancel while this one computes.
// Must run before the engine is loaded.
import { shareImportedMemory } from './shared-memory-module.ts'

export interface SharedMemoryCapture {
  memory: WebAssembly.Memory | undefined
  exports: WebAssembly.Exports | undefined
}

/** Patches this thread's `WebAssembly`; the capture fills while the engine loads. */
export function installSharedMemoryPatch(): SharedMemoryCapture {
  const capture: SharedMemoryCapture = { memory: undefined, exports: undefined }
  const keep = (created: WebAssembly.Instance): WebAssembly.Instance => {
    if (created.exports['QueryCancelPending'] !== undefined) capture.exports ??= created.exports
    return created
  }
  patchConstructors(capture, keep)
  patchFunctions(keep)
  return capture
}

function patchConstructors(
  capture: SharedMemoryCapture,
  keep: (created: WebAssembly.Instance) => WebAssembly.Instance,
): void {
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct(target, [descriptor]: [WebAssembly.MemoryDescriptor]) {
      const memory = new target({ ...descriptor, shared: true })
      capture.memory ??= memory
      return memory
    },
  })
  WebAssembly.Module = new Proxy(WebAssembly.Module, {
    construct: (target, [source]: [BufferSource]) => new target(shareImportedMemory(source)),
  })
  WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
    construct: (target, [module, imports]: [WebAssembly.Module, WebAssembly.Imports]) =>
      keep(new target(module, imports)),
  })
}

function patchFunctions(keep: (created: WebAssembly.Instance) => WebAssembly.Instance): void {
  const compile = WebAssembly.compile.bind(WebAssembly)
  const instantiate = WebAssembly.instantiate.bind(WebAssembly)
  WebAssembly.compile = (source) => compile(shareImportedMemory(source))
  const patched = async (
    source: BufferSource | WebAssembly.Module,
    imports?: WebAssembly.Imports,
  ): Promise<WebAssembly.Instance | WebAssembly.WebAssemblyInstantiatedSource> => {
    if (source instanceof WebAssembly.Module) return keep(await instantiate(source, imports))
    const created = await instantiate(shareImportedMemory(source), imports)
    keep(created.instance)
    return created
  }
  WebAssembly.instantiate = patched as typeof WebAssembly.instantiate
}
