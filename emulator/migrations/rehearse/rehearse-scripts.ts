// One engine job of a rehearsal: the scripts of all pending steps, with questions before and after them.
import { ownerRoleOf, type SchemaName } from '../../core/names.ts'
import { searchPathOf } from '../../database/as-principal.ts'
import type {
  EngineRehearsals,
  RehearsalQuestions,
  RehearsalResult,
} from '../../database/rehearsal.ts'
import type { Sql, TenantScript } from '../../database/sql.ts'

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
  { onJob, signal }: { readonly onJob: (millis: number) => void; readonly signal: AbortSignal },
): RehearseScripts {
  return async (questions) => {
    const result = await engine.rehearse({
      actor: { schemaName, role: ownerRoleOf(schemaName) },
      settings: { search_path: searchPathOf(schemaName) },
      scripts,
      ...questions,
      maxResultBytes: MAX_ANSWER_BYTES,
      timeoutMillis: TIMEOUT_MILLIS,
      signal,
    })
    onJob(result.durationMillis)
    return result
  }
}

/** Returns a question that the owner asks, for example the catalogue's. */
export function ownerQuestion(schemaName: SchemaName, statement: Sql): RehearsalQuestions {
  const settings = { search_path: 'pg_catalog' }
  return {
    role: ownerRoleOf(schemaName),
    settings,
    statement,
    questions: [{ settings: {}, params: statement.params }],
  }
}
