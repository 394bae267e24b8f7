// Reads the planned rows as JSON. Masked values are replaced by the query, so the originals do not leave the project.
import type { SchemaName } from '../../../core/names.ts'
import { EMPTY, identifier, join, type Sql, sql, verbatim } from '../../../database/sql.ts'
import type { Exec } from '../apply/fleet.ts'
import { maskedValue } from './mask-value.ts'
import { selectRows } from './owner-sql.ts'
import type { RowsPlan } from './plan-rows.ts'
import { PullError } from './pull-error.ts'

export interface PulledRows {
  readonly table: string
  /** One JSON object per row. Numbers have all their digits. */
  readonly rows: readonly string[]
}

/** @param limit maximum number of rows per table @throws {PullError | RemoteError} */
export async function readRows(
  exec: Exec,
  schemaName: SchemaName,
  plans: readonly RowsPlan[],
  limit: number,
): Promise<readonly PulledRows[]> {
  const read: PulledRows[] = []
  for (const [index, { table }] of plans.entries()) {
    const rows = await selectRows(exec, [rowsQuery(schemaName, plans.slice(0, index + 1), limit)])
    read.push({ table: table.name, rows: rows.map(({ row }) => String(row)) })
  }
  return read
}

/** Selects the rows of the last plan in the column `row`. The earlier plans decide which rows the selected rows may refer to. */
export function rowsQuery(schemaName: SchemaName, plans: readonly RowsPlan[], limit: number): Sql {
  const nameOf = (table: string): Sql =>
    verbatim(`chosen_${plans.findIndex((plan) => plan.table.name === table)}`)
  const chosen = plans.map(
    (plan) =>
      sql`${nameOf(plan.table.name)} as materialized (${chosenRows(schemaName, plan, nameOf, limit)})`,
  )
  const [last] = plans.slice(-1)
  if (last === undefined) throw new TypeError('no table to read')
  const from = nameOf(last.table.name)
  const columns = last.columns.map(
    ({ name }) => sql`${cellOf(last, name, from)} as ${identifier(name)}`,
  )
  return sql`with ${join(chosen)}
select row_to_json(pulled)::text as row from (select ${join(columns)} from ${from} as own${orderBy(last, sql`own`)}) as pulled limit ${verbatim(String(limit))}`
}

function chosenRows(
  schemaName: SchemaName,
  plan: RowsPlan,
  nameOf: (table: string) => Sql,
  limit: number,
): Sql {
  const conditions = plan.parents.map(({ columns, target }) => {
    const unset = columns.map((name) => sql`own.${identifier(name)} is null`)
    const same = columns.map(
      (name, index) =>
        sql`other.${identifier(target.columns[index] ?? '')} = own.${identifier(name)}`,
    )
    return sql`(${join(unset, ' or ')} or exists (select from ${nameOf(target.table)} as other where ${join(same, ' and ')}))`
  })
  const where = conditions.length === 0 ? EMPTY : sql` where ${join(conditions, ' and ')}`
  return sql`select own.* from ${identifier(schemaName, plan.table.name)} as own${where}${orderBy(plan, sql`own`)} limit ${verbatim(String(limit))}`
}

function orderBy({ primaryKey }: RowsPlan, row: Sql): Sql {
  if (primaryKey.length === 0) return EMPTY
  return sql` order by ${join(primaryKey.map((name) => sql`${row}.${identifier(name)}`))}`
}

function cellOf(plan: RowsPlan, name: string, chosen: Sql): Sql {
  const value = sql`own.${identifier(name)}`
  if (plan.cleared.has(name)) return sql`null`
  const column = plan.columns.find((each) => each.name === name)
  if (plan.masked.has(name) && column !== undefined) {
    const masked = maskedValue({ value, type: column.type })
    if (masked !== undefined) return masked
    if (column.notNull === undefined) return sql`null`
    throw new PullError(
      'cannot_mask',
      `${plan.table.name}.${name} has the type ${column.type}, which the pull cannot mask.`,
      {
        hint: `Leave ${plan.table.name} out of --rows.`,
      },
    )
  }
  const reference = plan.own.find(({ columns }) => columns.includes(name))
  if (reference === undefined || column?.notNull !== undefined) return value
  const same = reference.columns.map(
    (from, index) =>
      sql`other.${identifier(reference.target.columns[index] ?? '')} = own.${identifier(from)}`,
  )
  return sql`case when exists (select from ${chosen} as other where ${join(same, ' and ')}) then ${value} end`
}
