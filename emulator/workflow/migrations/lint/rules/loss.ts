// Finds statements that destroy data or change every row.
import type { TreeFields } from '../../../../database/sql-parser.ts'
import { fieldsOf, listOf, namesOf, textOf } from '../../../../database/sql-tree.ts'
import {
  commandsOf,
  type LintContext,
  type LintStatement,
  type Problem,
  tableOf,
} from '../problem.ts'

export function lossProblems(statement: LintStatement, context: LintContext): readonly Problem[] {
  const { fields, kind } = statement
  switch (kind) {
    case 'DropStmt':
      return dropped(fields, context)
    case 'TruncateStmt':
      return listOf(fields, 'relations').flatMap((node) =>
        truncated(tableOf(node, 'RangeVar'), context),
      )
    case 'AlterTableStmt':
      return commandsOf(fields).flatMap((command) =>
        droppedColumn(tableOf(fields), command, context),
      )
    case 'DeleteStmt':
    case 'UpdateStmt':
      return everyRow(kind === 'DeleteStmt' ? 'DELETE' : 'UPDATE', fields, context)
    default:
      return []
  }
}

const DROPPED: Readonly<Record<string, string>> = {
  OBJECT_TABLE: 'table',
  OBJECT_MATVIEW: 'materialized view',
  OBJECT_SEQUENCE: 'sequence',
  OBJECT_SCHEMA: 'schema',
  OBJECT_TYPE: 'type',
  OBJECT_DOMAIN: 'domain',
}
// Dropping one of these objects destroys data only with CASCADE, in the columns that use the type.
const WITHOUT_ROWS = new Set(['OBJECT_TYPE', 'OBJECT_DOMAIN', 'OBJECT_MATVIEW'])

function dropped(fields: TreeFields, { created, rowsOf }: LintContext): readonly Problem[] {
  const type = textOf(fields, 'removeType') ?? ''
  const what = DROPPED[type]
  const cascades = textOf(fields, 'behavior') === 'DROP_CASCADE'
  if (what === undefined || (WITHOUT_ROWS.has(type) && !cascades)) return []
  return listOf(fields, 'objects').flatMap((object): readonly Problem[] => {
    const name = nameOf(object)
    if (created.has(name)) return []
    const rows = type === 'OBJECT_TABLE' ? rowsText(rowsOf(name)) : ''
    const more = cascades ? ', and CASCADE drops everything that depends on it' : ''
    return [
      {
        rule: 'drops-data',
        severity: 'error',
        message: `DROP destroys the ${what} ${name}${rows}${more}.`,
        safer:
          type === 'OBJECT_TABLE'
            ? `ALTER TABLE ${name} RENAME TO ${name}_unused; drop it in a later step, when nothing uses it.`
            : 'Drop the objects that depend on it one by one, so that none is dropped by accident.',
      },
    ]
  })
}

function nameOf(object: TreeFields): string {
  const list = fieldsOf(object, 'List')
  if (list !== undefined) return namesOf(list['items']).at(-1) ?? ''
  const type = fieldsOf(object, 'TypeName')
  return (type === undefined ? undefined : namesOf(type['names']).at(-1)) ?? ''
}

function truncated(table: string, { created, rowsOf }: LintContext): readonly Problem[] {
  if (created.has(table)) return []
  const message = `TRUNCATE deletes all rows of ${table}${rowsText(rowsOf(table))}.`
  const safer = `DELETE FROM ${table} WHERE … for the rows that are not needed.`
  return [{ rule: 'drops-data', severity: 'error', message, safer }]
}

function droppedColumn(
  table: string,
  command: TreeFields,
  { created, rowsOf }: LintContext,
): readonly Problem[] {
  if (textOf(command, 'subtype') !== 'AT_DropColumn' || created.has(table)) return []
  const column = textOf(command, 'name') ?? ''
  return [
    {
      rule: 'drops-data',
      severity: 'error',
      message: `DROP COLUMN destroys the values of ${table}.${column}${rowsText(rowsOf(table))}, and applications that still name the column fail.`,
      safer: `First release applications that do not use ${column}. Drop it in a later step.`,
    },
  ]
}

function everyRow(
  verb: 'DELETE' | 'UPDATE',
  fields: TreeFields,
  { created, rowsOf }: LintContext,
): readonly Problem[] {
  const table = tableOf(fields)
  if (fields['whereClause'] !== undefined || created.has(table)) return []
  const rows = rowsOf(table)
  if (rows === 0) return []
  return [
    {
      rule: verb === 'DELETE' ? 'drops-data' : 'changes-every-row',
      severity: verb === 'DELETE' ? 'error' : 'warning',
      message: `${verb} without WHERE ${verb === 'DELETE' ? 'deletes' : 'changes'} all rows of ${table}${rowsText(rows)}.`,
      safer: `Add a WHERE clause that names the rows.`,
    },
  ]
}

function rowsText(rows: number | undefined): string {
  return rows === undefined ? '' : ` (up to ${rows} rows in one project)`
}
