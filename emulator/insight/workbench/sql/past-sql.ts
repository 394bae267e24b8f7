// Runs one SELECT on the rows as they were at a past instant. The owner takes the later changes back, the identity reads, and the
// transaction is rolled back. The policies of the instant decide.
import type { SqlAnswer } from '../../../contract/sql-console.ts'
import { ownerRoleOf, type SchemaName } from '../../../core/names.ts'
import type { Principal } from '../../../core/principal.ts'
import { principalSettings, searchPathOf } from '../../../database/as-principal.ts'
import { type Engine, SqlError, type WorkResult, wasNotBegun } from '../../../database/engine.ts'
import type { EngineRehearsals, RehearsalQuestions } from '../../../database/rehearsal.ts'
import { verbatim } from '../../../database/sql.ts'
import { loadSqlParser } from '../../../database/sql-parser.ts'
import { type PastDeps, type TakenBackState, takeBackTo } from '../../history/past-instant.ts'
import { askPast } from '../../history/past-reads.ts'
import { prepareBound } from './bind-values.ts'
import { type PreparedScript, prepareOneSelect } from './prepare-script.ts'
import { failed, failureOf, resultOf, type SqlOrder } from './run-sql.ts'
import type { TypeNames } from './type-names.ts'

export interface PastSqlDeps extends PastDeps {
  readonly engine: Engine
  readonly rehearsals: EngineRehearsals
  readonly typeNames: TypeNames
}

const MAX_RESULT_BYTES = 32 << 20

type Ready = PreparedScript & { readonly kind: 'ready' }

/** @throws {InspectorError} `invalid_request` for an unknown instant */
export async function runPastSql(
  deps: PastSqlDeps,
  order: Omit<SqlOrder, 'mode'>,
  instant: string,
): Promise<SqlAnswer> {
  const { parameters, schemaName, sql } = order
  const prepared = prepareBound(await loadSqlParser(), sql, parameters, (parser, text) =>
    prepareOneSelect(parser, text, schemaName),
  )
  if (prepared.kind === 'refused') return failed(prepared.failure)
  const past = await takeBackTo(deps, schemaName, instant)
  try {
    return await answer(deps, order, prepared, past)
  } catch (error) {
    if (error instanceof SqlError && !wasNotBegun(error)) return failed(failureOf(error, prepared))
    throw error
  }
}

async function answer(
  { engine, rehearsals, typeNames }: PastSqlDeps,
  order: Omit<SqlOrder, 'mode'>,
  { text }: Ready,
  past: TakenBackState,
): Promise<SqlAnswer> {
  const { maxRows, schemaName, signal, timeoutMillis } = order
  const settings = settingsOf(order)
  const described = await describe(engine, order, text)
  const question: RehearsalQuestions = {
    role: settings.actor.role,
    settings: {},
    statement: verbatim(`select * from (${text}\n) as past limit ${maxRows + 1}`),
    questions: [{ settings: settings.settings, params: [] }],
  }
  const asked = await askPast(rehearsals, schemaName, past, [question], {
    maxResultBytes: MAX_RESULT_BYTES,
    timeoutMillis,
    signal,
  })
  const rows = asked.answers[0] ?? []
  if (rows instanceof SqlError) throw rows
  const fields = described.results[0]?.fields ?? []
  const nameOf = await typeNames.of(
    schemaName,
    fields.map(({ typeOid }) => typeOid),
  )
  const state = { ...past.state, gaps: [...past.state.gaps, ...asked.gaps] }
  const result = { fields, rows, commandTag: `SELECT ${rows.length}` }
  return {
    results: [resultOf(result, maxRows, nameOf)],
    notices: state.gaps.map((message) => ({ severity: 'ADVICE', message })),
    duration_ms: asked.durationMillis,
    error: null,
    past: state,
  }
}

const NOT_GRANTED = '42501'

/** Describes the columns. The statement runs on no rows. Present grants may refuse the identity, and the past ones may not. */
async function describe(
  engine: Engine,
  order: Omit<SqlOrder, 'mode'>,
  text: string,
): Promise<WorkResult> {
  const { schemaName, signal, timeoutMillis } = order
  const work = {
    mode: 'readOnly',
    statements: [verbatim(`select * from (${text}\n) as past limit 0`)],
    end: 'rollback',
    timeoutMillis,
    signal,
  } as const
  try {
    return await engine.run({ ...settingsOf(order), ...work })
  } catch (error) {
    if (!(error instanceof SqlError) || error.code !== NOT_GRANTED) throw error
    return await engine.run({ ...settingsOf({ schemaName, principal: 'owner' }), ...work })
  }
}

const ownerOf = (schemaName: SchemaName) => ({ schemaName, role: ownerRoleOf(schemaName) })

function settingsOf({
  principal,
  schemaName,
}: {
  readonly principal: Principal | 'owner'
  readonly schemaName: SchemaName
}): Pick<Parameters<Engine['run']>[0], 'actor' | 'settings'> {
  if (principal === 'owner')
    return { actor: ownerOf(schemaName), settings: { search_path: searchPathOf(schemaName) } }
  const request = { method: 'POST', path: '/', headers: '{}' }
  return { actor: principal, settings: principalSettings(principal, request) }
}
