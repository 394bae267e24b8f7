// Checks before built-in functions that ask no hook. PostgreSQL calls built-ins through the module's function table, so
// ours stand in their places.
import { type Backend, BackendDied } from './backend.ts'

// FunctionCallInfoBaseData {*flinfo, *context, *resultinfo, fncollation, isnull, nargs, args[{value, isnull}]} (fmgr.h)
const IS_NULL = 16
const FIRST_ARGUMENT = 20
const ARGUMENT_BYTES = 8
const MOST_ARGUMENTS = 4
const CALL_BYTES = FIRST_ARGUMENT + ARGUMENT_BYTES * MOST_ARGUMENTS
// Room for a FmgrInfo {fn_addr, fn_oid, …}.
const FUNCTION_INFO_BYTES = 64

/** A function of PostgreSQL's calling convention: takes the address of its call, gives one word. */
export type Routine = (call: number) => number

export class RoutineTable {
  readonly #backend: Backend
  readonly #table: WebAssembly.Table
  /** Room for one call of ours. */
  #call = 0

  /** Takes the exports of the engine's instance. @throws {BackendDied} when they hold no function table */
  constructor(backend: Backend, exports: WebAssembly.Exports | undefined) {
    const table = exports?.['__indirect_function_table']
    if (!(table instanceof WebAssembly.Table))
      throw new BackendDied('the engine’s function table cannot be found')
    this.#backend = backend
    this.#table = table
  }

  /** Hands the first argument to `check`, which may raise, before each call. @throws {BackendDied} when there is no such function */
  before(oid: number, check: (argument: number) => void): void {
    this.replace(oid, (call, original) => {
      check(this.argument(call, 0))
      return original(call)
    })
  }

  /** Puts `routine` in the place of a built-in function and gives the original. @throws {BackendDied} when there is no such function */
  replace(oid: number, routine: (call: number, original: Routine) => number): Routine {
    const address = this.#addressOf(oid)
    const original = this.#table.get(address)
    if (original === null) throw new BackendDied(`the engine has no function ${oid}`)
    // Datum f(FunctionCallInfo)
    const ours = this.#backend.module.addFunction((call = 0) => routine(call, original), 'ii')
    this.#table.set(address, this.#table.get(ours))
    return original
  }

  /** The built-in function behind `oid`. @throws {BackendDied} when there is no such function */
  routine(oid: number): Routine {
    const original = this.#table.get(this.#addressOf(oid))
    if (original === null) throw new BackendDied(`the engine has no function ${oid}`)
    return original
  }

  /** The word that a call passes as its argument `index`; for a bigint it is the address of the value. */
  argument(call: number, index: number): number {
    return this.#backend.readWord(call + FIRST_ARGUMENT + ARGUMENT_BYTES * index)
  }

  /** Calls a built-in function from outside of a statement's execution; needs an open transaction. */
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
      backend.writeWord(call + FIRST_ARGUMENT + ARGUMENT_BYTES * index, word)
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
