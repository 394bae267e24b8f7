// Reads rows as identities: with their role, their claims and the settings of a GET request. The output formats do not depend on
// the project's settings.
import type { Principal } from '../../core/principal.ts'
import {
  asPrincipal,
  principalSettings,
  type RequestSettings,
} from '../../database/as-principal.ts'
import {
  type Answer,
  attempt,
  type Engine,
  SqlError,
  type StatementResult,
  type TenantQuestions,
} from '../../database/engine.ts'
import { PLAIN_FORMATS } from '../../database/row-reader.ts'
import type { Sql } from '../../database/sql.ts'

/** A statement, and the relation in the path of the simulated request. */
export interface Reading {
  readonly relation: string
  readonly statement: Sql
  /** Wall-clock milliseconds. */
  readonly timeoutMillis: number
}

export function readingSettings(relation: string): RequestSettings {
  return { method: 'GET', path: `/${relation}`, headers: '{}', others: PLAIN_FORMATS }
}

/** Returns the same question for each identity. */
export function questionsOf(
  principals: readonly Principal[],
  { relation, statement }: Pick<Reading, 'relation' | 'statement'>,
): Pick<TenantQuestions, 'settings' | 'statement' | 'questions'> {
  const questions = principals.map((principal) => ({
    settings: principalSettings(principal, readingSettings(relation)),
    params: statement.params,
  }))
  return { settings: {}, statement, questions }
}

/**
 * Asks identities of one role in one job. When the statement cannot run, each answer is the error.
 * @throws {SqlError} when the engine did not begin the work
 */
export async function askAs(
  engine: Engine,
  principals: readonly Principal[],
  reading: Reading,
): Promise<readonly Answer[]> {
  const [actor] = principals
  if (actor === undefined) return []
  const { timeoutMillis } = reading
  const work = { actor, ...questionsOf(principals, reading), timeoutMillis }
  const answers = await attempt(() => engine.ask(work))
  return answers instanceof SqlError ? principals.map(() => answers) : answers
}

/** Returns the rows that one identity reads. @throws {SqlError} */
export async function readAs(
  engine: Pick<Engine, 'run'>,
  principal: Principal,
  { relation, statement, timeoutMillis }: Reading,
): Promise<StatementResult['rows']> {
  const { results } = await engine.run({
    ...asPrincipal(principal, readingSettings(relation)),
    mode: 'readOnly',
    statements: [statement],
    end: 'rollback',
    timeoutMillis,
  })
  return results[0]?.rows ?? []
}
