// The engine's machine code, kept between processes: without it every start runs the engine slowly until V8 has optimised
// it again, on all cores and in a lot of memory. V8 offers this to browsers only; Node reaches it through two of V8's
// intrinsics. V8 itself refuses code of another version, processor or set of flags; then the engine is compiled.

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { runInThisContext } from 'node:vm'
import { crc32 } from 'node:zlib'
import { IS_BUNDLED, packageFile } from '../../../core/package-files.ts'
import { shareImportedMemory } from '../shared-memory-module.ts'

type Wasm = Uint8Array<ArrayBuffer>

const MAGIC = 'TNRCODE1'
// Magic, then checksums of the wasm the code belongs to and of the code: V8 checks neither.
const HEADER_BYTES = MAGIC.length + 8

/** Where the code for this Node is kept: in the bundle, or beside the source's cluster image. */
export function engineCodePath(): string {
  const name = `engine-${process.versions.v8}-${process.platform}-${process.arch}.code`
  return packageFile(IS_BUNDLED ? 'dist' : '.cache', name)
}

/** Gives the compiled engine, or `undefined` when nothing usable is kept. */
export function restoreEngine(path: string, wasm: Wasm): WebAssembly.Module | undefined {
  if (!existsSync(path)) return undefined
  const file = readFileSync(path)
  const code = file.subarray(HEADER_BYTES)
  if (!header(wasm, code).equals(file.subarray(0, HEADER_BYTES))) return undefined
  try {
    return deserializer()(new Uint8Array(code).buffer, wasm)
  } catch {
    // Where intrinsics or making code from text are forbidden, the engine is compiled as usual.
    return undefined
  }
}

/** Keeps what V8 has optimised of `module` so far. At least one function must be: V8 ends the process otherwise. */
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

// In parentheses a function is compiled at once. The flag is back where it was before anything else is compiled, because V8 keeps no code across different flags.
function intrinsic<Callable>(text: string): Callable {
  setFlagsFromString('--allow-natives-syntax')
  try {
    return runInThisContext(text) as Callable
  } finally {
    setFlagsFromString('--no-allow-natives-syntax')
  }
}

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
