// Starts the threads that engines run in. A command that will open an emulator prepares a thread at once. The thread then loads
// its code while the main thread loads its own.
import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { IS_BUNDLED, packageFile } from '../../../core/package-files.ts'
import type { ThreadData } from '../worker-protocol.ts'

const WORKER_FILE = IS_BUNDLED
  ? packageFile('dist/worker.mjs')
  : packageFile('emulator/database/embedded/worker/worker.ts')
// Deep recursion inside Postgres overflows V8's default stack, and the session then hangs (measured). Reading JSON of a million
// levels takes most of this stack. Unused stack takes no memory.
const STACK_MEGABYTES = 256

let prepared: Worker | undefined
/** The engine's compiled wasm, which all later threads of this process use. The first thread compiles it. */
let engineModule: WebAssembly.Module | undefined

let isCompiledHere = false

/** Stores the module for later threads. @param isNew whether a thread of this process compiled the module */
export function keepEngineModule(module: WebAssembly.Module, isNew: boolean): void {
  engineModule = module
  isCompiledHere ||= isNew
}

/** Whether this process had to compile the engine, because no kept machine code was usable. */
export function lacksEngineCode(): boolean {
  return isCompiledHere
}

/** `undefined` before the first engine of this process is ready. */
export function keptEngineModule(): WebAssembly.Module | undefined {
  return engineModule
}

/** Starts a thread for the first engine of this process. The thread does not keep the process alive. */
export function prepareEngineThread(): void {
  if (prepared !== undefined) return
  const thread = startThread()
  const forget = (): void => {
    if (prepared === thread) prepared = undefined
  }
  thread.once('error', forget).once('exit', forget)
  thread.unref()
  prepared = thread
}

/** Ends the prepared thread, because another engine opens. */
export async function dropEngineThread(): Promise<void> {
  const thread = prepared
  prepared = undefined
  await thread?.terminate()
}

/** Returns the prepared thread, or a new one. The thread waits for `WorkerOptions`. */
export function takeEngineThread(): Worker {
  const thread = prepared
  if (thread === undefined) return startThread()
  prepared = undefined
  thread.removeAllListeners()
  thread.ref()
  return thread
}

function startThread(): Worker {
  return new Worker(WORKER_FILE, {
    workerData: { compileCacheDir: getCompileCacheDir(), engineModule } satisfies ThreadData,
    resourceLimits: { stackSizeMb: STACK_MEGABYTES },
  })
}
