// Built-in functions that take a relation by oid and ask no hook: sequences' counters and relations' sizes. PostgreSQL
// calls built-ins through the module's function table, so ours stand in their places and ask the fence first.
import { type Backend, BackendDied } from './backend.ts'
import type { Fence } from './fence.ts'

// pg_proc.dat, PostgreSQL 18: fixed by hand, the same in every cluster of a major version.
const RELATION_ROUTINES = {
  nextval: 1574,
  currval: 1575,
  setval: 1576,
  setvalWithFlag: 1765,
  pg_sequence_parameters: 3078,
  pg_sequence_last_value: 4032,
  pg_get_sequence_data: 6427,
  pg_relation_size: 2332,
  pg_table_size: 2997,
  pg_indexes_size: 2998,
  pg_total_relation_size: 2286,
} as const

// FunctionCallInfoBaseData {*flinfo, *context, *resultinfo, fncollation, isnull, nargs, args[{value, isnull}]} (fmgr.h)
const FIRST_ARGUMENT = 20
// Room for a FmgrInfo {fn_addr, fn_oid, …}.
const FUNCTION_INFO_BYTES = 64

/** Puts the fence before each of them. @throws {BackendDied} when the engine is not laid out as expected */
export function fenceRelationRoutines(
  backend: Backend,
  fence: Fence,
  exports: WebAssembly.Exports | undefined,
): void {
  const table = exports?.['__indirect_function_table']
  if (!(table instanceof WebAssembly.Table))
    throw new BackendDied('the engine’s function table cannot be found')
  for (const oid of Object.values(RELATION_ROUTINES)) {
    const address = addressOf(backend, oid)
    const original = table.get(address)
    if (original === null) throw new BackendDied(`the engine has no function ${oid}`)
    // Datum f(FunctionCallInfo)
    const fenced = backend.module.addFunction((call = 0) => {
      fence.checkRelation(backend.readWord(call + FIRST_ARGUMENT))
      return original(call)
    }, 'ii')
    table.set(address, table.get(fenced))
  }
}

function addressOf(backend: Backend, oid: number): number {
  const { module } = backend
  const info = module._malloc(FUNCTION_INFO_BYTES)
  backend.guarded(() => module._fmgr_info(oid, info))
  const address = backend.readWord(info)
  const isFound = backend.readWord(info + 4) === oid
  module._free(info)
  if (!isFound) throw new BackendDied(`the engine has no function ${oid}`)
  return address
}
