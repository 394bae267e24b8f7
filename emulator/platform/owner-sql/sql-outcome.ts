// The interface behind the route `db/exec` and its two outcomes, a result or an SQL error (docs/wire/platform.md#db-exec).
import type { JsonObject } from '../../core/json.ts'
import type { Project } from '../projects/project.ts'

/** Advice for the caller of a statement that succeeded. */
export interface SqlAdvice {
  readonly kind: 'rowSecurityOff' | 'grantToPublicConverted' | 'platformLeftOut'
  /** The affected table or function, or the number of affected objects. */
  readonly subject: string
  readonly message: string
  readonly remedy: string
}

export type SqlOutcome =
  | {
      readonly kind: 'done'
      readonly columns: readonly string[]
      readonly rows: readonly JsonObject[]
      readonly rowsAffected: number
      /** Wall-clock milliseconds. */
      readonly durationMillis: number
      readonly advice: readonly SqlAdvice[]
    }
  | {
      readonly kind: 'sqlError'
      /** SQLSTATE. */
      readonly code: string
      readonly message: string
      /** 1-based line in the script: the line of the position that Postgres reported, or else of the failed statement. */
      readonly line: number | undefined
    }

/** Runs a project owner's SQL. @throws {ManagementError} when it is refused before it reaches Postgres */
export type ExecuteSql = (
  project: Pick<Project, 'schemaName'>,
  sqlText: string,
  signal: AbortSignal,
  /** Id of the request, which is reported with the row changes that the SQL makes. */
  requestId?: string,
) => Promise<SqlOutcome>
