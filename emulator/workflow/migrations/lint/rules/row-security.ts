// Finds tables that the steps create and leave without row-level security. The platform grants new tables to anon and
// authenticated (docs/wire/platform.md#db-exec), so their rows are open until row-level security is on.

import type { ParsedStatement } from '../../../../database/sql-parser.ts'
import { textOf } from '../../../../database/sql-tree.ts'
import { missingRowSecurity as noRowSecurity } from '../../../../insight/explain/policies/exposure.ts'
import { createdTables } from '../../../../platform/owner-sql/created-tables.ts'
import {
  commandsOf,
  type LintContext,
  type LintStatement,
  type Problem,
  tableOf,
} from '../problem.ts'

export function missingRowSecurity(
  statement: LintStatement,
  { all }: LintContext,
): readonly Problem[] {
  return createdTables([statement])
    .filter((table) => !all.some((other) => enables(other, table)))
    .map((table) => noRowSecurity(`new table ${table}`, table, 'anon can read all its rows'))
}

function enables({ fields, kind }: ParsedStatement, table: string): boolean {
  return (
    kind === 'AlterTableStmt' &&
    tableOf(fields) === table &&
    commandsOf(fields).some((command) => textOf(command, 'subtype') === 'AT_EnableRowSecurity')
  )
}
