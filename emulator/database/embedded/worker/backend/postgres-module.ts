// The exports of PGlite's wasm module that the worker uses. backend.ts verifies that they exist.

/** The parts of the engine's module in use (PGlite 0.5.16, PostgreSQL 18.6). */
export interface PostgresModule {
  readonly HEAPU8: Uint8Array
  addFunction(callback: (...args: number[]) => number | undefined, signature: string): number
  stackSave(): number
  stackRestore(pointer: number): void
  _malloc(size: number): number
  _free(pointer: number): void
  _pgl_set_rw_cbs(read: number, write: number): void
  _pq_buffer_remaining_data(): number
  _PostgresMainLoopOnce(): void
  _PostgresMainLongJmp(): void
  _PostgresSendReadyForQueryIfNecessary(): void
  _pgl_pq_flush(): void
  _IsTransactionState(): number
  _IsTransactionBlock(): number
  _GetUserIdAndSecContext(userId: number, context: number): void
  _SetUserIdAndSecContext(userId: number, context: number): void
  _GetUserId(): number
  _GetSessionUserId(): number
  _get_role_oid(name: number, missingOk: number): number
  _set_config_option(
    name: number,
    value: number,
    context: number,
    source: number,
    action: number,
    changeVal: number,
    elevel: number,
    isReload: number,
  ): number
  /** Address of the value's text, in the setting's own unit. */
  _GetConfigOption(name: number, missingOk: number, restrictPrivileged: number): number
  _RegisterXactCallback(callback: number, argument: number): void
  _RegisterSubXactCallback(callback: number, argument: number): void
  /** The nesting level: 1 in a transaction, plus 1 for each savepoint. */
  _GetCurrentTransactionNestLevel(): number
  _find_option(name: number, createPlaceholders: number, skipErrors: number, elevel: number): number
  _fmgr_info(routine: number, info: number): void
  _get_rel_namespace(relation: number): number
  _get_func_namespace(routine: number): number
  _get_namespace_oid(name: number, missingOk: number): number
  _GetUserNameFromId(role: number, missingOk: number): number
  _stringToNode(text: number): number
  _table_open(relation: number, lock: number): number
  _table_close(relation: number, lock: number): void
  _ScanKeyInit(
    key: number,
    attribute: number,
    strategy: number,
    routine: number,
    argument: number,
  ): void
  _systable_beginscan(
    relation: number,
    index: number,
    usesIndex: number,
    snapshot: number,
    keyCount: number,
    keys: number,
  ): number
  _systable_getnext(scan: number): number
  _systable_endscan(scan: number): void
  _errstart(elevel: number, domain: number): number
  _errcode(sqlState: number): number
  _errmsg_internal(format: number, args: number): number
  _errhint(format: number, args: number): number
  _errfinish(file: number, line: number, routine: number): void
  _standard_ProcessUtility(...args: number[]): void
  /** Addresses of hook variables. */
  readonly _object_access_hook: number
  readonly _ExecutorCheckPerms_hook: number
  readonly _ProcessUtility_hook: number
  /** Address of the transaction's isolation level. */
  readonly _XactIsoLevel: number
  readonly _post_parse_analyze_hook: number
  /** Address of the text of the query that a client sent last. */
  readonly _debug_query_string: number
  readonly _get_relation_info_hook: number
}

export const FUNCTIONS = [
  'addFunction',
  'stackSave',
  'stackRestore',
  '_malloc',
  '_free',
  '_pgl_set_rw_cbs',
  '_pq_buffer_remaining_data',
  '_PostgresMainLoopOnce',
  '_PostgresMainLongJmp',
  '_PostgresSendReadyForQueryIfNecessary',
  '_pgl_pq_flush',
  '_IsTransactionState',
  '_IsTransactionBlock',
  '_GetUserIdAndSecContext',
  '_SetUserIdAndSecContext',
  '_GetUserId',
  '_GetSessionUserId',
  '_get_role_oid',
  '_set_config_option',
  '_GetConfigOption',
  '_RegisterXactCallback',
  '_RegisterSubXactCallback',
  '_GetCurrentTransactionNestLevel',
  '_find_option',
  '_fmgr_info',
  '_get_rel_namespace',
  '_get_func_namespace',
  '_get_namespace_oid',
  '_GetUserNameFromId',
  '_stringToNode',
  '_table_open',
  '_table_close',
  '_ScanKeyInit',
  '_systable_beginscan',
  '_systable_getnext',
  '_systable_endscan',
  '_errstart',
  '_errcode',
  '_errmsg_internal',
  '_errhint',
  '_errfinish',
  '_standard_ProcessUtility',
] as const

export const ADDRESSES = [
  '_object_access_hook',
  '_ExecutorCheckPerms_hook',
  '_ProcessUtility_hook',
  '_XactIsoLevel',
  '_post_parse_analyze_hook',
  '_debug_query_string',
  '_get_relation_info_hook',
] as const
