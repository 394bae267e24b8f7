// The engine's wasm, compiled once per process: workers share the machine code, so a restart finds it warm.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { shareImportedMemory } from './pglite-worker/shared-memory-module.ts'

let compiled: Promise<WebAssembly.Module> | undefined

/** Compiles the engine for a shared memory, or gives what was compiled before. */
export function compileEngine(): Promise<WebAssembly.Module> {
  compiled ??= readFile(wasmPath()).then((bytes) => WebAssembly.compile(shareImportedMemory(bytes)))
  return compiled
}

function wasmPath(): string {
  return fileURLToPath(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite')))
}
