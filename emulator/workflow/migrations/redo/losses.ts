// Finds the rows and values that a change of a structure would lose, inside the transaction that makes the change. Pure.
import type { Lost } from '../../../database/differ/difference.ts'
import { quoteIdentifier, quoteLiteral } from '../../../database/sql.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'

/** What a change would lose in one project. */
export interface Loss {
  readonly table: string
  /** `null` for whole rows. */
  readonly column: string | null
  /** Number of rows that would be deleted, or that have a value in the column. */
  readonly rows: number
  /** One of these rows as JSON, cut to `MAX_EXAMPLE` characters. */
  readonly example: string | null
}

/** A statement without a closing semicolon. A guard is a check, which is left out when rows may be lost. */
export interface Guarded {
  readonly text: string
  readonly isGuard: boolean
}

/** Rows that the undone statements wrote themselves. Removing these rows loses no row of the application. */
export interface MadeRows {
  /** Columns of the table's primary key. */
  readonly key: readonly string[]
  /** Subquery with the column `a`: each row as JSON, as the statements left the row. */
  readonly pairs: string
}

/** SQLSTATE of our own for a change that would lose rows or values. */
export const WOULD_LOSE = 'TY003'
/** Maximum length of an example, in characters. */
export const MAX_EXAMPLE = 300
/** Setting of the transaction that collects the losses of all guards. */
const FOUND = 'dev.losses'

/**
 * Returns guards that record what would be lost. The tables stay locked until the end of the transaction, so that no row arrives
 * after the check.
 * @param structure the structure before the change
 */
export function guardAgainst(
  lost: readonly Lost[],
  structure: SchemaStructure,
  madeOf: (lost: Lost) => MadeRows | undefined = () => undefined,
): readonly Guarded[] {
  if (lost.length === 0) return []
  const tables = [...new Set(lost.map(({ table }) => table))]
  // Switches forced row-level security off meanwhile, because it hides rows from the table's owner.
  const forced = structure.relations.filter(
    ({ forcedRowSecurity, name }) => forcedRowSecurity && tables.includes(name),
  )
  const force = (word: string) =>
    forced.map(({ name }) => `alter table ${quoteIdentifier(name)} ${word} row level security`)
  const body = [
    ...tables.map((table) => `lock table ${quoteIdentifier(table)} in access exclusive mode;`),
    ...lost.map((one) => countText(one, structure, madeOf(one))),
  ]
  const count = `do $tenantry$ declare lost jsonb := '[]'; lost_rows bigint; lost_example text; begin ${body.join('\n')}
perform set_config('${FOUND}', (coalesce(nullif(current_setting('${FOUND}', true), ''), '[]')::jsonb || lost)::text, true); end $tenantry$`
  return [...force('no force'), count, ...force('force')].map((text) => ({ text, isGuard: true }))
}

/** Returns the guard that fails with `WOULD_LOSE` when an earlier guard has recorded a loss. */
export function failOnLoss(): Guarded {
  const text = `do $tenantry$ begin if coalesce(current_setting('${FOUND}', true), '') not in ('', '[]') then raise exception using errcode = '${WOULD_LOSE}', message = current_setting('${FOUND}', true); end if; end $tenantry$`
  return { text, isGuard: true }
}

/** Reads the losses from the message of a `WOULD_LOSE`, which only the guard raises. */
export function lossesOf(message: string): readonly Loss[] {
  return JSON.parse(message) as readonly Loss[]
}

function countText(lost: Lost, structure: SchemaStructure, made: MadeRows | undefined): string {
  const { table } = lost
  const column = lost.kind === 'table' ? 'null' : quoteLiteral(lost.column)
  const isOwn = made === undefined ? '' : ` and not exists (${madeText(lost, made)})`
  const count = (condition: string): string => {
    const from = `from ${quoteIdentifier(table)} as t where ${condition}${isOwn}`
    return `select count(*) into lost_rows ${from}; select left(to_jsonb(t)::text, ${MAX_EXAMPLE}) into lost_example ${from} limit 1;`
  }
  return `${counted(lost, structure, count)}
if lost_rows > 0 then lost := lost || jsonb_build_object('table', ${quoteLiteral(table)}, 'column', ${column}, 'rows', lost_rows, 'example', lost_example); end if;`
}

/** Selects the row that the undone statements wrote, if the row has not changed since then. */
function madeText(lost: Lost, { key, pairs }: MadeRows): string {
  const hasSame = (column: string) =>
    `to_jsonb(t)->${quoteLiteral(column)} = p.a->${quoteLiteral(column)}`
  const isSame =
    lost.kind === 'table'
      ? 'not exists (select from jsonb_each(p.a) as c where to_jsonb(t) ? c.key and to_jsonb(t)->c.key is distinct from c.value)'
      : hasSame(lost.column)
  const conditions = [`jsonb_typeof(p.a) = 'object'`, ...key.map(hasSame), isSame]
  return `select from ${pairs} as p where ${conditions.join(' and ')}`
}

function counted(
  lost: Lost,
  structure: SchemaStructure,
  count: (condition: string) => string,
): string {
  if (lost.kind === 'table') return count('true')
  const column = `t.${quoteIdentifier(lost.column)}`
  const hasValue = `${column} is not null`
  if (lost.kind === 'type') {
    const cut = `(${column}::${lost.type})::text is distinct from ${column}::text`
    // A value that the new type refuses would be lost, too.
    return `begin ${count(cut)} exception when others then ${count(hasValue)} end;`
  }
  const usual = constantDefault(structure, lost.table, lost.column)
  // In a column with a constant default, every other value counts. Even null was written on purpose.
  return count(usual === undefined ? hasValue : `${column} is distinct from ${usual}`)
}

/**
 * A pattern for defaults that are constants. A row can have such a value although no caller chose it. Postgres also uses this
 * pattern.
 */
export const CONSTANT: RegExp =
  /^(?:'(?:[^']|'')*'(?:::[\w ."[\]]+)?|\(?-?\d+(?:\.\d+)?\)?(?:::[\w ]+)?|true|false)$/

function constantDefault(
  { relations, schemaName }: SchemaStructure,
  table: string,
  column: string,
): string | undefined {
  const expression = relations
    .find(({ name }) => name === table)
    ?.columns.find(({ name }) => name === column)?.expression
  return expression !== undefined && CONSTANT.test(expression)
    ? expression.replaceAll(`${schemaName}.`, '')
    : undefined
}
