// One engine job of a rehearsal: the scripts of all pending steps, with questions before and after them.
import { ownerRoleOf, type SchemaName } from '../../core/names.ts'
import { searchPathOf } from '../../database/as-principal.ts'
import { cellText, SqlError } from '../../database/engine.ts'
import type {
  EngineRehearsals,
  RehearsalQuestions,
  RehearsalResult,
} from '../../database/rehearsal.ts'
import type { Sql, TenantScript } from '../../database/sql.ts'
import type { Counts } from './disturbance.ts'
import { readState, type SchemaState } from './relations.ts'

/** Time limit of one job, like that of db/exec (docs/wire/platform.md#db-exec). */
const TIMEOUT_MILLIS = 30_000
const MAX_ANSWER_BYTES = 4 << 20

export interface Questions {
  readonly before: readonly RehearsalQuestions[]
  readonly after: readonly RehearsalQuestions[]
}

/** Runs the scripts and the questions in one transaction that is rolled back. @throws {SqlError} as `EngineRehearsals` */
export type RehearseScripts = (questions: Questions) => Promise<RehearsalResult>

/** @param onJob receives the wall-clock milliseconds that each job took inside the engine */
export function scriptRehearsal(
  engine: EngineRehearsals,
  schemaName: SchemaName,
  scripts: readonly TenantScript[],
  {
    onJob,
    signal,
    timeoutMillis = TIMEOUT_MILLIS,
  }: {
    readonly onJob?: (millis: number) => void
    readonly signal?: AbortSignal
    readonly timeoutMillis?: number
  },
): RehearseScripts {
  return async (questions) => {
    const result = await engine.rehearse({
      actor: { schemaName, role: ownerRoleOf(schemaName) },
      settings: { search_path: searchPathOf(schemaName) },
      scripts,
      ...questions,
      maxResultBytes: MAX_ANSWER_BYTES,
      timeoutMillis,
      signal,
    })
    onJob?.(Math.max(result.durationMillis, result.cleanUpMillis))
    return result
  }
}

/** Whether a script failed. */
export function hasFailed({ scripts }: RehearsalResult): boolean {
  return scripts.at(-1)?.error !== undefined
}

export interface Trials {
  /** Runs the steps without the entries in the ledger (the table of applied steps). */
  readonly quick: RehearseScripts
  readonly entries: RehearseScripts
  readonly complete: RehearseScripts
}

/**
 * Runs the steps and the ledger's entries in two jobs, each of which is shorter than one job for both. When one of the jobs
 * fails, the result of the complete scripts counts. @throws {SqlError} as `RehearseScripts`
 */
export async function tryScripts(
  { complete, entries, quick }: Trials,
  questions: Questions,
): Promise<RehearsalResult> {
  const tried = await quick(questions)
  if (hasFailed(tried)) return await complete(questions)
  const recorded = await entries({ before: [], after: [] })
  return hasFailed(recorded) ? await complete(questions) : tried
}

/**
 * Runs `quick`, and `complete` if a script of `quick` fails. The scripts have succeeded before.
 * @throws {SqlError} of a script that fails now
 */
export function quickRehearsal({ complete, quick }: Trials): RehearseScripts {
  return async (questions) => {
    const result = await quick(questions)
    if (!hasFailed(result)) return result
    const again = await complete(questions)
    const error = again.scripts.at(-1)?.error
    if (error !== undefined) throw error
    return again
  }
}

/** Returns a question that runs as the owner, for example about the catalogue. */
export function ownerQuestion(schemaName: SchemaName, statement: Sql): RehearsalQuestions {
  const settings = { search_path: 'pg_catalog' }
  return {
    role: ownerRoleOf(schemaName),
    settings,
    statement,
    questions: [{ settings: {}, params: statement.params }],
  }
}

/**
 * Decodes the answer of `stateQuery`. @throws {SqlError} when the question failed: the question is the platform's own, so this is
 * not expected
 */
export function stateOf([answer]: RehearsalResult['before'], before?: SchemaState): SchemaState {
  if (answer instanceof SqlError) throw answer
  return readState(
    (answer ?? []).map(([text]) => cellText(text) ?? ''),
    before,
  )
}

/** Decodes the answer of `countsQuery`. @throws {SqlError} as `stateOf` */
export function countsOf([answer]: RehearsalResult['before']): Counts {
  if (answer instanceof SqlError) throw answer
  return new Map(
    (answer ?? []).map((row) => {
      const [oid = 0, changed = 0, parts = 0] = row.map((cell) => Number(cellText(cell)))
      return [oid, { rowsChanged: changed, parts }]
    }),
  )
}
