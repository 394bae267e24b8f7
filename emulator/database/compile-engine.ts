// The engine's wasm, compiled once per process: workers share the machine code, so a restart finds it warm.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { engineCodePath, keepEngine, restoreEngine } from './engine-code.ts'
import { shareImportedMemory } from './pglite-worker/shared-memory-module.ts'

let compiled: Promise<WebAssembly.Module> | undefined

/** Gives the engine's module for a shared memory: from this process, from kept code, or compiled now. */
export function compileEngine(): Promise<WebAssembly.Module> {
  compiled ??= load()
  return compiled
}

/** Keeps what V8 has optimised of this process's engine, for later processes: for the build, after some real work. */
export async function keepCompiledEngine(path: string): Promise<void> {
  keepEngine(path, await readEngine(), await compileEngine())
}

async function load(): Promise<WebAssembly.Module> {
  const wasm = await readEngine()
  return restoreEngine(engineCodePath(), wasm) ?? WebAssembly.compile(wasm)
}

async function readEngine(): Promise<Uint8Array<ArrayBuffer>> {
  return shareImportedMemory(await readFile(wasmPath()))
}

function wasmPath(): string {
  return fileURLToPath(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite')))
}
