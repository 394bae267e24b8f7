// Compiles the engine's wasm and caches the code on disk for later processes. Without the cached code, every
// start is slow until V8 has optimised the code again. Node reaches V8's cache through two intrinsics. V8 rejects cached code
// of another version, processor or set of flags. The engine is then compiled again.

import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { crc32 } from 'node:zlib'
import { freeBytes } from '../../core/free-bytes.ts'
import { IS_BUNDLED, packageFile } from '../../core/package-files.ts'
import { cachedCodePath, isOwnFile } from './code-cache.ts'
import { shareImportedMemory } from './shared-memory-module.ts'

type Wasm = Uint8Array<ArrayBuffer>

const MAGIC = 'TNRCODE1'
// The header has a magic number, a checksum of the wasm and a checksum of the cached code. V8 itself does not verify these
// checksums.
const HEADER_BYTES = MAGIC.length + 8

/** Path of the cached code for this Node: in the bundle, or beside the source's cluster image. */
export function engineCodePath(): string {
  const name = `engine-${process.versions.v8}-${process.platform}-${process.arch}.code`
  return packageFile(IS_BUNDLED ? 'dist' : '.cache', name)
}

/** Returns the compiled engine, or `undefined` when the cache has no usable code. */
export function restoreEngine(path: string, wasm: Wasm): WebAssembly.Module | undefined {
  const file = readCode(path)
  if (file === undefined) return undefined
  try {
    if (!header(wasm, file.code).equals(file.head)) return undefined
    return deserializer()(file.code.buffer, wasm)
  } catch {
    // The flags of this process forbid intrinsics or `eval`.
    return undefined
  } finally {
    freeBytes(file.code)
  }
}

// Reads the code into a separate buffer, because V8 always uses a whole buffer.
function readCode(path: string): { readonly head: Buffer; readonly code: Wasm } | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const head = Buffer.alloc(HEADER_BYTES)
    readSync(file, head)
    const code = new Uint8Array(Math.max(0, fstatSync(file).size - HEADER_BYTES))
    readSync(file, code)
    return { head, code }
  } catch {
    // The path is a folder, or the disk is damaged.
    return undefined
  } finally {
    closeSync(file)
  }
}

/** Writes the code that V8 has optimised so far. V8 aborts the process when it has not optimised any function yet. */
export function keepEngine(path: string, wasm: Wasm, module: WebAssembly.Module): void {
  const code = new Uint8Array(serializer()(module))
  const draft = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(draft, Buffer.concat([header(wasm, code), code]))
  renameSync(draft, path)
}

function header(wasm: Wasm, code: Uint8Array): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.write(MAGIC, 'latin1')
  bytes.writeUInt32LE(crc32(wasm), MAGIC.length)
  bytes.writeUInt32LE(crc32(code), MAGIC.length + 4)
  return bytes
}

function serializer(): (module: WebAssembly.Module) => ArrayBuffer {
  return intrinsic('((module) => %SerializeWasmModule(module))')
}

function deserializer(): (code: ArrayBuffer, wasm: Wasm) => WebAssembly.Module | undefined {
  return intrinsic('((code, wasm) => %DeserializeWasmModule(code, wasm))')
}

// The parentheses make V8 compile the function at once, while the flag is set. V8 caches no code across different flags, so the
// flag is reset before anything else is compiled.
function intrinsic<Callable>(text: string): Callable {
  setFlagsFromString('--allow-natives-syntax')
  try {
    return runInThisContext(text) as Callable
  } finally {
    setFlagsFromString('--no-allow-natives-syntax')
  }
}

export interface CompiledEngine {
  readonly module: WebAssembly.Module
  /** Whether V8 had to compile the module, because no file had code that V8 accepts in this process. */
  readonly isNew: boolean
}

/** Returns the engine's module for a shared memory, from the cached code or newly compiled. Called by the engine's thread. */
export async function compileEngine(): Promise<CompiledEngine> {
  const wasm = await readEngine()
  try {
    const kept = restoreEngine(engineCodePath(), wasm) ?? restoreOwn(cachedCodePath(), wasm)
    return { module: kept ?? (await WebAssembly.compile(wasm)), isNew: kept === undefined }
  } finally {
    freeBytes(wasm)
  }
}

// Uses only a file that no other user could write, because this process runs the file's code.
function restoreOwn(path: string, wasm: Wasm): WebAssembly.Module | undefined {
  return isOwnFile(path) ? restoreEngine(path, wasm) : undefined
}

/** Writes the code that V8 has optimised so far to the cache. The build calls it after running real work. */
export async function keepCompiledEngine(path: string, module: WebAssembly.Module): Promise<void> {
  keepEngine(path, await readEngine(), module)
}

async function readEngine(): Promise<Uint8Array<ArrayBuffer>> {
  const file = await readFile(wasmPath())
  const wasm = shareImportedMemory(file)
  if (wasm.buffer !== file.buffer) freeBytes(file)
  return wasm
}

function wasmPath(): string {
  return fileURLToPath(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite')))
}
