// Makes the engine's memory a SharedArrayBuffer, so that the main thread can set the cancel flags while this thread computes.
// serve.ts installs it before the engine is loaded.
import { shareImportedMemory } from '../../shared-memory-module.ts'

const PAGE_BYTES = 65_536
const SET_TIMER = '_setitimer_js'

export interface SharedMemoryCapture {
  memory: WebAssembly.Memory | undefined
  exports: WebAssembly.Exports | undefined
}

/**
 * Patches this thread's `WebAssembly`. The returned capture is filled while the engine loads.
 * @param maxBytes limit of the memory; beyond it Postgres's allocations fail with SQLSTATE 53200
 */
export function installSharedMemoryPatch(maxBytes: number): SharedMemoryCapture {
  const capture: SharedMemoryCapture = { memory: undefined, exports: undefined }
  const keep = (created: WebAssembly.Instance): WebAssembly.Instance => {
    if (created.exports['QueryCancelPending'] !== undefined) capture.exports ??= created.exports
    return created
  }
  patchConstructors(capture, maxBytes, keep)
  patchFunctions(keep)
  return capture
}

function patchConstructors(
  capture: SharedMemoryCapture,
  maxBytes: number,
  keep: (created: WebAssembly.Instance) => WebAssembly.Instance,
): void {
  WebAssembly.Memory = new Proxy(WebAssembly.Memory, {
    construct(target, [descriptor]: [WebAssembly.MemoryDescriptor]) {
      const maximum = Math.max(descriptor.initial, Math.floor(maxBytes / PAGE_BYTES))
      const memory = new target({ ...descriptor, maximum, shared: true })
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
    stopTimers(imports)
    if (source instanceof WebAssembly.Module) return keep(await instantiate(source, imports))
    const created = await instantiate(shareImportedMemory(source), imports)
    keep(created.instance)
    return created
  }
  WebAssembly.instantiate = patched as typeof WebAssembly.instantiate
}

// Disables Postgres's timers. The engine's own timers would fire between jobs, and an idle timeout would end the one backend of
// all sessions. The main thread enforces timeouts instead (statement-watch.ts).
function stopTimers(imports: WebAssembly.Imports | undefined): void {
  const environment = imports?.['env']
  if (environment !== undefined && SET_TIMER in environment) environment[SET_TIMER] = () => 0
}
