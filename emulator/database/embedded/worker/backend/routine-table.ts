// Runs our code before or instead of PostgreSQL's built-in functions that call no hook. PostgreSQL calls built-in functions
// through the module's function table, and we replace their entries there.
import { type Backend, BackendDied } from './backend.ts'

// FunctionCallInfoBaseData {*flinfo, *context, *resultinfo, fncollation, isnull, nargs, args[{value, isnull}]} (fmgr.h)
const IS_NULL = 16
const FIRST_ARGUMENT = 20
const ARGUMENT_BYTES = 8
const MOST_ARGUMENTS = 4
const CALL_BYTES = FIRST_ARGUMENT + ARGUMENT_BYTES * MOST_ARGUMENTS
// The bytes to allocate for a FmgrInfo {fn_addr, fn_oid, …}.
const FUNCTION_INFO_BYTES = 64

/** A built-in function takes the address of its call and returns its result. */
export type Routine = (call: number) => number

/** Returns the address of an argument's value. */
export function argumentAt(call: number, index: number): number {
  return call + FIRST_ARGUMENT + ARGUMENT_BYTES * index
}

export function argumentOf(backend: Backend, call: number, index: number): number {
  return backend.readWord(argumentAt(call, index))
}

export class RoutineTable {
  readonly #backend: Backend
  readonly #table: WebAssembly.Table
  /** The address of the memory for the data of a call that `call` makes. */
  #call = 0

  /** Takes the exports of the engine's instance. @throws {BackendDied} when they hold no function table */
  constructor(backend: Backend, exports: WebAssembly.Exports | undefined) {
    const table = exports?.['__indirect_function_table']
    if (!(table instanceof WebAssembly.Table))
      throw new BackendDied('the engine’s function table cannot be found')
    this.#backend = backend
    this.#table = table
  }

  /** Calls `check`, which may raise, with the first argument before each call. @throws {BackendDied} when the function is missing */
  before(oid: number, check: (argument: number) => void): void {
    this.replace(oid, (original) => (call) => {
      check(argumentOf(this.#backend, call, 0))
      return original(call)
    })
  }

  /** Replaces a built-in function. @throws {BackendDied} when it is missing */
  replace(oid: number, make: (original: Routine) => Routine): void {
    const address = this.#addressOf(oid)
    const original: Routine | null = this.#table.get(address)
    if (original === null) throw new BackendDied(`the engine has no function ${oid}`)
    const replacement = make(original)
    // Datum f(FunctionCallInfo)
    const added = this.#backend.module.addFunction((call = 0) => replacement(call), 'ii')
    this.#table.set(address, this.#table.get(added))
  }

  /** Finds a built-in function by its oid. @throws {BackendDied} when it is missing */
  find(oid: number): Routine {
    const found: Routine | null = this.#table.get(this.#addressOf(oid))
    if (found === null) throw new BackendDied(`the engine has no function ${oid}`)
    return found
  }

  /** Calls a built-in function outside a statement's execution; needs an open transaction. */
  call(
    routine: Routine,
    words: readonly number[],
  ): { readonly word: number; readonly isNull: boolean } {
    const backend = this.#backend
    const { module } = backend
    this.#call ||= module._malloc(CALL_BYTES)
    const call = this.#call
    module.HEAPU8.fill(0, call, call + CALL_BYTES)
    words.forEach((word, index) => {
      backend.writeWord(argumentAt(call, index), word)
    })
    const word = routine(call)
    return { word, isNull: module.HEAPU8[call + IS_NULL] !== 0 }
  }

  #addressOf(oid: number): number {
    const backend = this.#backend
    const { module } = backend
    const info = module._malloc(FUNCTION_INFO_BYTES)
    backend.guarded(() => module._fmgr_info(oid, info))
    const address = backend.readWord(info)
    const isFound = backend.readWord(info + 4) === oid
    module._free(info)
    if (!isFound) throw new BackendDied(`the engine has no function ${oid}`)
    return address
  }
}
