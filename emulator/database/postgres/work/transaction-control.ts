// Finds the first statement of a script that the engine must refuse. Such a statement would end the engine's transaction, or
// leave the role of a rehearsal. A server has no hook that could refuse the statement. Statements inside functions are left to
// Postgres's own checks.
import { SqlError } from '../../engine.ts'
import { loadSqlParser, SqlSyntaxError } from '../../sql-parser.ts'

export interface Allowed {
  /** The part of the script before the refused statement, or the whole script. */
  readonly text: string
  /** The error of the refused statement. */
  readonly refusal: SqlError | undefined
}

const CONTROL = /\b(?:begin|start|commit|end|rollback|abort|savepoint|release|prepare)\b/i
const ROLE = /\b(?:role|authorization)\b/i
const ROLE_SETTINGS: ReadonlySet<unknown> = new Set(['role', 'session_authorization'])

/** Cuts a script before the first statement that controls the transaction or, with `keepsRole`, changes the role. */
export async function withoutControl(text: string, keepsRole: boolean): Promise<Allowed> {
  if (!CONTROL.test(text) && !(keepsRole && ROLE.test(text))) return { text, refusal: undefined }
  const parser = await loadSqlParser()
  try {
    for (const { kind, fields, start } of parser.parse(text)) {
      const refusal = refusalOf(kind, fields['name'], keepsRole)
      if (refusal !== undefined) return { text: text.slice(0, start), refusal }
    }
  } catch (error) {
    // Postgres also refuses the whole script because of its syntax error, and reports the error's correct position.
    if (!(error instanceof SqlSyntaxError)) throw error
  }
  return { text, refusal: undefined }
}

function refusalOf(kind: string, name: unknown, keepsRole: boolean): SqlError | undefined {
  if (kind === 'TransactionStmt')
    return new SqlError('2D000', 'this script runs in one transaction and may not end it')
  if (keepsRole && kind === 'VariableSetStmt' && ROLE_SETTINGS.has(name))
    return new SqlError('42501', 'permission denied to set role')
  return undefined
}
