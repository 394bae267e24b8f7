// Finds statements that make other requests wait for long on a big table. Postgres reads or rewrites the table under a lock
// (https://www.postgresql.org/docs/current/explicit-locking.html and the notes of ALTER TABLE).
import type { TreeFields } from '../../../../database/sql-parser.ts'
import { fieldsOf, isFields, namesOf, nodesOf, textOf } from '../../../../database/sql-tree.ts'
import {
  commandsOf,
  type LintContext,
  type LintStatement,
  type Problem,
  tableOf,
} from '../problem.ts'

/** Rows of a table below which a scan under a lock takes a few milliseconds. */
const SMALL_TABLE_ROWS = 10_000

interface Risk {
  readonly rule: 'rewrites-table' | 'blocks-readers' | 'blocks-writers'
  readonly does: string
  readonly safer: string
}

/** Returns no problem for a table that the steps create, or that is small in every project. */
export function lockProblems(
  { fields, kind }: LintStatement,
  { created, rowsOf }: LintContext,
): readonly Problem[] {
  const table = tableOf(fields)
  const rows = rowsOf(table)
  if (created.has(table) || (rows !== undefined && rows < SMALL_TABLE_ROWS)) return []
  return risksOf(kind, fields, table).map(({ does, rule, safer }) => ({
    rule,
    severity: rows === undefined ? 'warning' : 'error',
    message: `${does} ${CONSEQUENCE[rule]}${rows === undefined ? '' : `, with up to ${rows} rows in one project`}.`,
    safer,
  }))
}

const CONSEQUENCE: Readonly<Record<Risk['rule'], string>> = {
  'rewrites-table': 'rewrites the whole table, and blocks all reads and writes meanwhile',
  'blocks-readers': 'reads the whole table, and blocks all reads and writes meanwhile',
  'blocks-writers': 'reads the whole table, and blocks all writes meanwhile',
}

function risksOf(kind: string, fields: TreeFields, table: string): readonly Risk[] {
  switch (kind) {
    case 'AlterTableStmt':
      return commandsOf(fields).flatMap((command) => commandRisk(command, table) ?? [])
    case 'IndexStmt':
      return [
        {
          rule: 'blocks-writers',
          does: `CREATE INDEX on ${table}`,
          safer: 'Put the index into a step of its own, and apply it at a quiet time.',
        },
      ]
    case 'ClusterStmt':
      return [
        {
          rule: 'rewrites-table',
          does: `CLUSTER ${table}`,
          safer: 'Leave it out, or apply it at a quiet time.',
        },
      ]
    case 'RefreshMatViewStmt':
      return fields['concurrent'] === true
        ? []
        : [
            {
              rule: 'blocks-readers',
              does: `REFRESH MATERIALIZED VIEW ${table}`,
              safer: `REFRESH MATERIALIZED VIEW CONCURRENTLY ${table}; it needs a unique index.`,
            },
          ]
    default:
      return []
  }
}

function commandRisk(command: TreeFields, table: string): Risk | undefined {
  const name = textOf(command, 'name') ?? ''
  const definition = fieldsOf(command, 'def')
  switch (textOf(command, 'subtype')) {
    case 'AT_AlterColumnType':
      return {
        rule: 'rewrites-table',
        does: `Changing the type of ${table}.${name}`,
        safer: 'Add a column of the new type, fill it in parts, then switch the application to it.',
      }
    case 'AT_SetLogged':
    case 'AT_SetUnLogged':
    case 'AT_SetAccessMethod':
      return {
        rule: 'rewrites-table',
        does: `Changing how ${table} is stored`,
        safer: 'Create a new table and copy the rows in parts.',
      }
    case 'AT_SetNotNull':
      return {
        rule: 'blocks-readers',
        does: `SET NOT NULL on ${table}.${name}`,
        safer: `ALTER TABLE ${table} ADD CONSTRAINT ${name}_not_null CHECK (${name} IS NOT NULL) NOT VALID; then VALIDATE CONSTRAINT in the next step, and SET NOT NULL after it.`,
      }
    case 'AT_AddColumn':
      return definition === undefined ? undefined : addedColumnRisk(definition, table)
    case 'AT_AddConstraint':
      return definition === undefined ? undefined : constraintRisk(definition, table)
    default:
      return undefined
  }
}

// Functions that Postgres evaluates once for the whole statement. A default that calls them needs no rewrite of the table.
const STABLE_DEFAULTS = new Set([
  'now',
  'transaction_timestamp',
  'statement_timestamp',
  'timezone',
  'uid',
  'current_setting',
])

function addedColumnRisk(definition: TreeFields, table: string): Risk | undefined {
  const column = fieldsOf(definition, 'ColumnDef') ?? {}
  const rewriting = nodesOf(column, 'constraints', 'Constraint').find((constraint) => {
    const type = textOf(constraint, 'contype')
    if (type === 'CONSTR_IDENTITY' || type === 'CONSTR_GENERATED') return true
    return type === 'CONSTR_DEFAULT' && callsVolatile(constraint['raw_expr'])
  })
  if (rewriting === undefined) return undefined
  const name = textOf(column, 'colname') ?? ''
  return {
    rule: 'rewrites-table',
    does: `Adding ${table}.${name} with a value that differs by row`,
    safer: `Add ${name} without the default, set the default in a second statement, and fill old rows in parts.`,
  }
}

/**
 * Whether an expression calls a function that may return another value for each row. An unknown function is treated as such a
 * function.
 */
function callsVolatile(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(callsVolatile)
  if (!isFields(value)) return false
  const call = fieldsOf(value, 'FuncCall')
  if (call === undefined) return Object.values(value).some(callsVolatile)
  const name = namesOf(call['funcname']).at(-1) ?? ''
  return !STABLE_DEFAULTS.has(name) || callsVolatile(call['args'])
}

function constraintRisk(definition: TreeFields, table: string): Risk | undefined {
  const constraint = fieldsOf(definition, 'Constraint') ?? {}
  const name = textOf(constraint, 'conname')
  const usesIndex = textOf(constraint, 'indexname') !== undefined
  const called = name ?? '…'
  switch (textOf(constraint, 'contype')) {
    case 'CONSTR_FOREIGN':
    case 'CONSTR_CHECK': {
      if (constraint['skip_validation'] === true) return undefined
      const isForeign = textOf(constraint, 'contype') === 'CONSTR_FOREIGN'
      return {
        rule: isForeign ? 'blocks-writers' : 'blocks-readers',
        does: `Adding a ${isForeign ? 'foreign key' : 'check constraint'} to ${table}`,
        safer: `ALTER TABLE ${table} ADD CONSTRAINT ${called} … NOT VALID; then ALTER TABLE ${table} VALIDATE CONSTRAINT ${called} in the next step.`,
      }
    }
    case 'CONSTR_PRIMARY':
    case 'CONSTR_UNIQUE':
    case 'CONSTR_EXCLUSION':
      return usesIndex
        ? undefined
        : {
            rule: 'blocks-readers',
            does: `Building the index of a constraint on ${table}`,
            safer: `CREATE UNIQUE INDEX in an earlier step, then ADD CONSTRAINT … USING INDEX.`,
          }
    default:
      return undefined
  }
}
