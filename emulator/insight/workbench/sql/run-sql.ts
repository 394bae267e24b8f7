// Runs SQL as the project's owner or as an identity (contract/sql-console.ts). The owner has the rights of `db/exec`. An
// identity has the rights of the data plane. The response contains errors of Postgres.

import type { SqlAnswer, SqlFailure, SqlRequest, SqlResult } from '../../../contract/sql-console.ts'
import { ownerRoleOf, type SchemaName } from '../../../core/names.ts'
import type { Principal } from '../../../core/principal.ts'
import { asPrincipal, searchPathOf } from '../../../database/as-principal.ts'
import {
  cellText,
  type Engine,
  type Notice,
  rowsLeftOut,
  SqlError,
  type StatementResult,
  type TenantWork,
  type WorkResult,
  wasNotBegun,
} from '../../../database/engine.ts'
import { type SqlParam, tenantScript } from '../../../database/sql.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { rowSecurityAdvice } from '../../../platform/owner-sql/created-tables.ts'
import { commentSchema } from '../../../services/control/db-exec/execute-sql.ts'
import { prepareBound } from './bind-values.ts'
import {
  type PreparedScript,
  prepareExplain,
  prepareReadOnly,
  prepareScript,
} from './prepare-script.ts'
import type { TypeNames } from './type-names.ts'

export interface SqlOrder {
  readonly schemaName: SchemaName
  readonly sql: string
  /** Values of `$1`, `$2` … */
  readonly parameters: readonly SqlParam[]
  readonly principal: Principal | 'owner'
  readonly maxRows: number
  readonly mode: NonNullable<SqlRequest['mode']>
  readonly timeoutMillis: number
  /** Aborting this signal cancels the statement. */
  readonly signal: AbortSignal
  /** See `TenantWork.requestId`. */
  readonly requestId: string
}

export interface SqlRunnerDeps {
  readonly engine: Engine
  readonly typeNames: TypeNames
}

/** Maximum size of all results of a script together, in bytes. */
const MAX_RESULT_BYTES = 32 << 20

type Ready = PreparedScript & { readonly kind: 'ready' }

const PREPARE = {
  run: prepareScript,
  rollback: prepareScript,
  read_only: prepareReadOnly,
  explain: prepareExplain,
} as const

/** Runs the SQL in one transaction. If it fails, the response's `error` says why. */
export async function runSql(deps: SqlRunnerDeps, order: SqlOrder): Promise<SqlAnswer> {
  const { mode, parameters, schemaName, sql } = order
  const prepared = prepareBound(await loadSqlParser(), sql, parameters, (parser, text) =>
    PREPARE[mode](parser, text, schemaName),
  )
  if (prepared.kind === 'refused') return failed(prepared.failure)
  try {
    const result = await execute(deps.engine, order, prepared)
    if (order.principal === 'owner' && order.mode === 'run')
      await commentSchema(deps.engine, order.schemaName, prepared.schemaComment)
    return await answerOf(deps, order, prepared, result)
  } catch (error) {
    if (error instanceof SqlError && !wasNotBegun(error))
      return failed(failureOf(error, prepared), noticesOf(error.facts.notices ?? []))
    throw error
  }
}

function execute(engine: Engine, order: SqlOrder, { text }: Ready): Promise<WorkResult> {
  const { schemaName, principal, mode, timeoutMillis, signal, requestId } = order
  const work = {
    mode: mode === 'read_only' ? 'readOnly' : 'readWrite',
    statements: tenantScript(text),
    end: mode === 'run' ? 'commit' : 'rollback',
    timeoutMillis,
    maxResultBytes: MAX_RESULT_BYTES,
    signal,
    requestId,
  } as const satisfies Partial<TenantWork>
  if (principal !== 'owner')
    return engine.run({
      ...work,
      ...asPrincipal(principal, { method: 'POST', path: '/', headers: '{}' }),
    })
  return engine.run({
    ...work,
    actor: { schemaName, role: ownerRoleOf(schemaName) },
    settings: { search_path: searchPathOf(schemaName) },
  })
}

async function answerOf(
  { typeNames }: SqlRunnerDeps,
  { maxRows, schemaName }: SqlOrder,
  { advice, asksFirst, asksLast }: Ready,
  { results, notices, durationMillis }: WorkResult,
): Promise<SqlAnswer> {
  const own = results.slice(asksFirst ? 1 : 0, asksLast ? -1 : undefined)
  const unprotected = (asksLast ? (results.at(-1)?.rows ?? []) : []).map(([name]) =>
    rowSecurityAdvice(cellText(name) ?? ''),
  )
  const oids = own.flatMap(({ fields }) => fields.map(({ typeOid }) => typeOid))
  const nameOf = await typeNames.of(schemaName, oids)
  return {
    results: own
      .filter(({ commandTag }) => commandTag !== '')
      .map((result) => resultOf(result, maxRows, nameOf)),
    notices: [
      ...noticesOf(notices),
      ...[...advice, ...unprotected].map(({ message, remedy }) => ({
        severity: 'ADVICE',
        message: `${message} ${remedy}`,
      })),
    ],
    duration_ms: durationMillis,
    error: null,
  }
}

export function resultOf(
  result: StatementResult,
  maxRows: number,
  nameOf: (oid: number) => string,
): SqlResult {
  const { commandTag, fields, rows } = result
  return {
    command_tag: commandTag,
    columns: fields.map(({ name, typeOid }) => ({ name, type: nameOf(typeOid) })),
    rows: rows.slice(0, maxRows).map((row) => row.map((cell) => cellText(cell) ?? null)),
    rows_left_out: Math.max(0, rows.length - maxRows) + rowsLeftOut(result),
  }
}

/** Returns an error of Postgres with its position in the caller's text. */
export function failureOf(error: SqlError, { positionOf }: Pick<Ready, 'positionOf'>): SqlFailure {
  const { position } = error.facts
  return {
    code: error.code,
    message: error.message,
    detail: error.details ?? null,
    hint: error.hint ?? null,
    position: position === undefined ? null : positionOf(position),
  }
}

function noticesOf(notices: readonly Notice[]): SqlAnswer['notices'] {
  return notices.map(({ severity, message }) => ({ severity, message }))
}

export function failed(error: SqlFailure, notices: SqlAnswer['notices'] = []): SqlAnswer {
  return { results: [], notices, duration_ms: 0, error }
}
