// Checks before built-in functions that ask no hook. PostgreSQL calls built-ins through the module's function table, so
// ours stand in their places.
import { type Backend, BackendDied } from './backend.ts'

// FunctionCallInfoBaseData {*flinfo, *context, *resultinfo, fncollation, isnull, nargs, args[{value, isnull}]} (fmgr.h)
const FIRST_ARGUMENT = 20
// Room for a FmgrInfo {fn_addr, fn_oid, …}.
const FUNCTION_INFO_BYTES = 64

export class RoutineTable {
  readonly #backend: Backend
  readonly #table: WebAssembly.Table

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
    const backend = this.#backend
    const address = this.#addressOf(oid)
    const original = this.#table.get(address)
    if (original === null) throw new BackendDied(`the engine has no function ${oid}`)
    // Datum f(FunctionCallInfo)
    const checked = backend.module.addFunction((call = 0) => {
      check(backend.readWord(call + FIRST_ARGUMENT))
      return original(call)
    }, 'ii')
    this.#table.set(address, this.#table.get(checked))
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
