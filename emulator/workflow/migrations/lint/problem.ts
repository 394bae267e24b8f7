// The types that all lint rules share.
import type { LintFinding } from '../../../contract/migrations.ts'
import type { ParsedStatement, SqlParser, TreeFields } from '../../../database/sql-parser.ts'
import { fieldsOf, nodesOf, textOf } from '../../../database/sql-tree.ts'
import type { StepStatement } from '../steps/statements.ts'
import type { ClientsOf } from './traffic.ts'

/** A finding without its file and line. */
export type Problem = Omit<LintFinding, 'file' | 'line'>

export interface LintStatement extends StepStatement {
  /** The text of the whole step, which `start` and `end` refer to. */
  readonly source: string
}

export interface LintContext {
  readonly parser: SqlParser
  /** Tables that the linted steps create. New tables are empty, so their locks and rewrites cost nothing. */
  readonly created: ReadonlySet<string>
  readonly rowsOf: (table: string) => number | undefined
  readonly clientsOf: ClientsOf
  /** The statements of all linted steps. */
  readonly all: readonly ParsedStatement[]
}

/** Returns the name of the table in the field `relation`, or in another field. */
export function tableOf(fields: TreeFields, field = 'relation'): string {
  const relation = fieldsOf(fields, field)
  return (relation === undefined ? undefined : textOf(relation, 'relname')) ?? ''
}

/** Returns the commands of an ALTER TABLE. */
export function commandsOf(fields: TreeFields): readonly TreeFields[] {
  return nodesOf(fields, 'cmds', 'AlterTableCmd')
}

/** Returns the names of the roles in a list of RoleSpec nodes. PUBLIC is `public`. */
export function rolesOf(fields: TreeFields, field: string): readonly string[] {
  return nodesOf(fields, field, 'RoleSpec').map((role) =>
    textOf(role, 'roletype') === 'ROLESPEC_PUBLIC' ? 'public' : (textOf(role, 'rolename') ?? ''),
  )
}

/** Returns the DefElem nodes of a list of options, by their names. */
export function optionsOf(fields: TreeFields, field: string): ReadonlyMap<string, TreeFields> {
  const options = nodesOf(fields, field, 'DefElem')
  return new Map(options.map((option) => [textOf(option, 'defname') ?? '', option]))
}
