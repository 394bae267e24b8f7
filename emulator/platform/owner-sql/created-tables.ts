// Finds the tables that a script creates, and builds the query for those without row-level security. Pure.
import type { SchemaName } from '../../core/names.ts'
import { EMPTY, join, literal, type Sql, sql } from '../../database/sql.ts'
import type { ParsedStatement, TreeFields } from '../../database/sql-parser.ts'
import { fieldsOf, textOf } from '../../database/sql-tree.ts'
import type { SqlAdvice } from './sql-outcome.ts'

/** Names of the tables that the statements create, except temporary ones. */
export function createdTables(statements: readonly ParsedStatement[]): readonly string[] {
  const names = statements.flatMap(({ kind, fields }) => {
    const relation = madeRelation(kind, fields)
    if (relation === undefined || textOf(relation, 'relpersistence') === 't') return []
    return textOf(relation, 'schemaname') === 'pg_temp' ? [] : (textOf(relation, 'relname') ?? [])
  })
  return [...new Set(names)]
}

function madeRelation(kind: string, fields: TreeFields): TreeFields | undefined {
  if (kind === 'CreateStmt') return fieldsOf(fields, 'relation')
  const isTableAs = kind === 'CreateTableAsStmt' && textOf(fields, 'objtype') === 'OBJECT_TABLE'
  const into = isTableAs ? fieldsOf(fields, 'into') : intoOf(kind, fields)
  return into === undefined ? undefined : fieldsOf(into, 'rel')
}

function intoOf(kind: string, fields: TreeFields): TreeFields | undefined {
  if (kind !== 'SelectStmt') return undefined
  const left = fieldsOf(fields, 'larg')
  return fieldsOf(fields, 'intoClause') ?? (left === undefined ? undefined : intoOf(kind, left))
}

/**
 * Selects those of `tables` whose row-level security is off at the end of the script. As a second statement, the query also puts
 * a script of one statement into a transaction block, where a procedure cannot commit. All names are schema-qualified, so that
 * the owner's own functions and operators do not run.
 */
export function unprotectedQuery(schemaName: SchemaName, tables: readonly string[]): Sql {
  const among =
    tables.length === 0
      ? EMPTY
      : sql` or c.relname operator(pg_catalog.=) any (array[${join(tables.map(literal))}]::pg_catalog.name[])`
  return sql`select c.relname from pg_catalog.pg_class as c
where (false${among}) and not c.relrowsecurity
  and c.relkind operator(pg_catalog.=) any (array['r', 'p']::pg_catalog."char"[])
  and c.relnamespace operator(pg_catalog.=) ${literal(schemaName)}::pg_catalog.regnamespace`
}

/** Returns the advice for a table without row-level security, in which every role with a grant can read all rows. */
export function rowSecurityAdvice(table: string): SqlAdvice {
  return {
    kind: 'rowSecurityOff',
    subject: table,
    message: `Row-level security is off for the table ${table}, so grants alone decide which rows anon, authenticated and service_role can access.`,
    remedy: `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY; then create policies.`,
  }
}
