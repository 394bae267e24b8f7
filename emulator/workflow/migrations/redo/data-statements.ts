// Finds the statements that change rows or lose data. A change in place must run these statements, while the differ can replace
// all others. Pure.
import {
  type ParsedStatement,
  type SqlParser,
  SqlSyntaxError,
} from '../../../database/sql-parser.ts'
import { fieldsOf, listOf, textOf } from '../../../database/sql-tree.ts'

/**
 * Statements that change rows, and statements that may change rows because they run code. Renames are included, because the
 * differ cannot distinguish a rename from a drop.
 */
const CHANGES: ReadonlySet<string> = new Set([
  'CallStmt',
  'CopyStmt',
  'DeleteStmt',
  'DoStmt',
  'ExecuteStmt',
  'InsertStmt',
  'MergeStmt',
  'RenameStmt',
  'SelectStmt',
  'TruncateStmt',
  'UpdateStmt',
])
const DROPPED: ReadonlySet<string> = new Set([
  'OBJECT_TABLE',
  'OBJECT_SCHEMA',
  'OBJECT_SEQUENCE',
  'OBJECT_TYPE',
  'OBJECT_FOREIGN_TABLE',
])
const ALTERED: ReadonlySet<string> = new Set([
  'AT_AlterColumnType',
  'AT_DropColumn',
  'AT_DropExpression',
  'AT_SetExpression',
])

/** Whether the statement changes rows or loses data, itself or through code that it runs. */
export function changesData({ fields, kind }: ParsedStatement): boolean {
  if (CHANGES.has(kind)) return true
  if (kind === 'CreateTableAsStmt') return textOf(fields, 'objtype') !== 'OBJECT_MATVIEW'
  if (kind === 'DropStmt')
    return DROPPED.has(textOf(fields, 'removeType') ?? '') || isCascade(fields)
  if (kind !== 'AlterTableStmt') return false
  return listOf(fields, 'cmds').some((command) => {
    const altered = fieldsOf(command, 'AlterTableCmd') ?? {}
    return ALTERED.has(textOf(altered, 'subtype') ?? '') || isCascade(altered)
  })
}

function isCascade(fields: Readonly<Record<string, unknown>>): boolean {
  return textOf(fields, 'behavior') === 'DROP_CASCADE'
}

/** Whether one of the statements changes data. False for a text that Postgres refuses. */
export function mayChangeData(parser: SqlParser, text: string): boolean {
  try {
    return parser.parse(text).some(changesData)
  } catch (error) {
    if (!(error instanceof SqlSyntaxError)) throw error
    return false
  }
}
