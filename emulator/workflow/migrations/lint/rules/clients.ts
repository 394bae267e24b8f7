// Finds statements that break applications which are not updated at the same time. Such statements rename tables or columns, or
// drop ones that recorded requests name.
import type { TreeFields } from '../../../../database/sql-parser.ts'
import { fieldsOf, listOf, namesOf, textOf } from '../../../../database/sql-tree.ts'
import {
  commandsOf,
  type LintContext,
  type LintStatement,
  type Problem,
  tableOf,
} from '../problem.ts'

interface Lost {
  readonly verb: 'Renaming' | 'Dropping'
  readonly table: string
  /** Absent when the whole table is concerned. */
  readonly column?: string
}

export function clientProblems(
  { fields, kind }: LintStatement,
  { clientsOf, created }: LintContext,
): readonly Problem[] {
  return lostNames(kind, fields)
    .filter(({ table }) => !created.has(table))
    .flatMap(({ column, table, verb }): readonly Problem[] => {
      const clients = clientsOf(table, column)
      // The rule drops-data reports a dropped table or column that no recorded request names.
      if (clients === undefined && verb === 'Dropping') return []
      const name = column === undefined ? table : `${table}.${column}`
      const use =
        clients === undefined
          ? ''
          : ` ${clients.requests} recorded ${clients.requests === 1 ? 'request names' : 'requests name'} it, the last one at ${clients.lastAt}: ${clients.example}.`
      return [
        {
          rule: 'breaks-clients',
          severity: clients === undefined ? 'warning' : 'error',
          message: `${verb} ${name} breaks applications that use the name.${use}`,
          safer: SAFER[verb](name),
        },
      ]
    })
}

const SAFER: Readonly<Record<Lost['verb'], (name: string) => string>> = {
  Renaming: (name) =>
    `Add the new name beside ${name}, release applications that use it, and drop ${name} in a later step.`,
  Dropping: (name) =>
    `First release applications that do not use ${name}. Drop it in a later step.`,
}

function lostNames(kind: string, fields: TreeFields): readonly Lost[] {
  switch (kind) {
    case 'RenameStmt':
      return renamed(fields)
    case 'DropStmt':
      if (textOf(fields, 'removeType') !== 'OBJECT_TABLE') return []
      return listOf(fields, 'objects').map((object) => ({
        verb: 'Dropping',
        table: namesOf(fieldsOf(object, 'List')?.['items']).at(-1) ?? '',
      }))
    case 'AlterTableStmt':
      return commandsOf(fields).flatMap((command) =>
        textOf(command, 'subtype') === 'AT_DropColumn'
          ? [{ verb: 'Dropping', table: tableOf(fields), column: textOf(command, 'name') ?? '' }]
          : [],
      )
    default:
      return []
  }
}

function renamed(fields: TreeFields): readonly Lost[] {
  const table = tableOf(fields)
  switch (textOf(fields, 'renameType')) {
    case 'OBJECT_COLUMN':
      return [{ verb: 'Renaming', table, column: textOf(fields, 'subname') ?? '' }]
    case 'OBJECT_TABLE':
    case 'OBJECT_VIEW':
      return [{ verb: 'Renaming', table }]
    default:
      return []
  }
}
