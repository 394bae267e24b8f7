// Finds statements that db/exec refuses, or that fail at their place in the step. A step is sent to each project through db/exec
// (docs/wire/platform.md#db-exec), so it must not name one project's schema or control transactions.

import { trusted } from '../../../../core/names.ts'
import type { SqlParser, TreeFields } from '../../../../database/sql-parser.ts'
import { textOf } from '../../../../database/sql-tree.ts'
import { findRefusal } from '../../../../platform/owner-sql/find-refusal.ts'
import { type LintContext, type LintStatement, optionsOf, type Problem } from '../problem.ts'

// Passed as the project's own schema. No step names this schema, so that a statement which names the schema of any project is
// refused.
const NO_PROJECT = trusted.schemaName('proj_')

export function runnableProblems(
  statement: LintStatement,
  { parser }: LintContext,
): readonly Problem[] {
  return [...refused(parser, statement), ...alone(statement), ...earlyValue(statement)]
}

function refused(parser: SqlParser, statement: LintStatement): readonly Problem[] {
  const refusal = findRefusal(parser, statement.source, [statement], NO_PROJECT)
  if (refusal === undefined) return []
  const { code, hint, message } = refusal
  const problem =
    code === 'system_schema_protected'
      ? {
          message: 'The statement names a schema, but a step runs in the schema of every project.',
          safer: 'Use names without a schema, and catalogue views such as pg_tables.',
        }
      : { message, safer: hint }
  return [{ rule: 'refused', severity: 'error', ...problem }]
}

function alone({ fields, kind }: LintStatement): readonly Problem[] {
  const isVacuum = kind === 'VacuumStmt' && fields['is_vacuumcmd'] === true
  const what = isVacuum ? 'VACUUM' : concurrentForm(kind, fields)
  if (what === undefined) return []
  return [
    {
      rule: 'needs-own-transaction',
      severity: 'error',
      message: `${what} cannot run inside a transaction, and db/exec runs every call in one.`,
      safer: isVacuum
        ? 'Leave it out: autovacuum does this work.'
        : 'Leave out CONCURRENTLY, and apply the step at a quiet time.',
    },
  ]
}

function concurrentForm(kind: string, fields: TreeFields): string | undefined {
  if (kind === 'IndexStmt' && fields['concurrent'] === true) return 'CREATE INDEX CONCURRENTLY'
  if (kind === 'DropStmt' && fields['concurrent'] === true) return 'DROP INDEX CONCURRENTLY'
  if (kind === 'ReindexStmt' && optionsOf(fields, 'params').has('concurrently'))
    return 'REINDEX CONCURRENTLY'
  return undefined
}

// Postgres refuses to use a new value of an enum before the transaction that added it is committed (55P04).
function earlyValue({ end, fields, kind, source }: LintStatement): readonly Problem[] {
  const value = kind === 'AlterEnumStmt' ? textOf(fields, 'newVal') : undefined
  if (value === undefined || textOf(fields, 'oldVal') !== undefined) return []
  if (!source.slice(end).includes(`'${value.replaceAll("'", "''")}'`)) return []
  return [
    {
      rule: 'enum-value-too-early',
      severity: 'error',
      message: `The step adds the enum value '${value}' and uses it. Postgres allows that only after the commit.`,
      safer: 'Put the statements that use the value into the next step.',
    },
  ]
}
