// Plans which rows a pull reads: a limited number per table. The foreign keys of a row refer only to rows that are read, too.
// Pure.
import type { ColumnRecord, RelationRecord } from '../../../database/catalog/relations.ts'
import type { SchemaStructure } from '../../../database/template/structure.ts'
import { PullError } from './pull-error.ts'
import type { KeyRecord } from './read-keys.ts'

export interface RowsWish {
  readonly tables: readonly string[]
  readonly limit: number
  /** Columns to mask: `column` of every table, or `table.column`. */
  readonly masks: readonly string[]
  /** Tables that the plan does not read, but that have every row that other rows refer to. Default: none. */
  readonly complete?: ReadonlySet<string>
}

type ForeignKey = KeyRecord & { readonly target: NonNullable<KeyRecord['target']> }

/** One table whose rows are read. */
export interface RowsPlan {
  readonly table: RelationRecord
  readonly primaryKey: readonly string[]
  /** The columns to read. Columns that Postgres computes are left out. */
  readonly columns: readonly ColumnRecord[]
  readonly masked: ReadonlySet<string>
  /** Foreign keys to tables that come earlier in the plan. A row is read only when the rows that it refers to are read. */
  readonly parents: readonly ForeignKey[]
  /** Foreign keys from the table to itself. A reference to a row that is not read becomes NULL. */
  readonly own: readonly ForeignKey[]
  /** Columns that become NULL, because they refer to tables that are not read, or that come later in the plan. */
  readonly cleared: ReadonlySet<string>
}

/** Returns the tables in an order in which rows can be inserted. @throws {PullError} */
export function planRows(
  { relations }: SchemaStructure,
  keys: readonly KeyRecord[],
  wish: RowsWish,
): readonly RowsPlan[] {
  const tables = wish.tables.map((name) => tableNamed(relations, name))
  const masked = maskedColumns(tables, wish.masks)
  const foreign = keys.filter((key): key is ForeignKey => key.target !== undefined)
  refuseMaskedKeys(foreign, masked)
  const ordered = inOrder(tables, foreign)
  return ordered.map((table, index) => {
    const earlier = new Set(ordered.slice(0, index).map(({ name }) => name))
    const own = foreign.filter((key) => key.table === table.name)
    return {
      table,
      primaryKey:
        keys.find((key) => key.table === table.name && key.target === undefined)?.columns ?? [],
      columns: table.columns.filter(({ generated }) => generated === undefined),
      masked: masked.get(table.name) ?? new Set(),
      parents: own.filter(({ target }) => earlier.has(target.table)),
      own: own.filter(({ target }) => target.table === table.name),
      cleared: clearedColumns(
        table,
        own.filter(
          ({ target }) =>
            target.table !== table.name &&
            !earlier.has(target.table) &&
            wish.complete?.has(target.table) !== true,
        ),
      ),
    }
  })
}

function tableNamed(relations: readonly RelationRecord[], name: string): RelationRecord {
  const tables = relations.filter(({ kind }) => kind === 'table' || kind === 'partitioned')
  const found = tables.find((table) => table.name === name)
  if (found !== undefined) return found
  throw new PullError('unknown_table', `The project has no table ${name}.`, {
    hint: `Its tables are: ${tables.map((table) => table.name).join(', ') || 'none'}.`,
  })
}

function maskedColumns(
  tables: readonly RelationRecord[],
  masks: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>()
  for (const mask of masks) {
    const matches = tables.flatMap((table) =>
      table.columns
        .filter(({ name }) => mask === name || mask === `${table.name}.${name}`)
        .map(({ name }) => [table.name, name] as const),
    )
    if (matches.length === 0)
      throw new PullError(
        'unknown_column',
        `No table of --rows has a column ${mask}, so nothing would be masked.`,
        {
          hint: 'Write --mask <column> or --mask <table>.<column>.',
        },
      )
    for (const [table, column] of matches)
      found.set(table, (found.get(table) ?? new Set()).add(column))
  }
  return found
}

// Masked values are numbers within one column, so a masked key would no longer match the rows that refer to it.
function refuseMaskedKeys(
  keys: readonly ForeignKey[],
  masked: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const { columns, table, target } of keys)
    for (const [side, names] of [
      [table, columns],
      [target.table, target.columns],
    ] as const)
      for (const name of names)
        if (masked.get(side)?.has(name) === true)
          throw new PullError(
            'masked_key',
            `${side}.${name} cannot be masked, because a foreign key of ${table} uses it.`,
            {
              hint: `Leave ${table} or ${target.table} out of --rows, or leave ${name} out of --mask.`,
            },
          )
}

function clearedColumns(table: RelationRecord, keys: readonly ForeignKey[]): ReadonlySet<string> {
  const cleared = new Set<string>()
  for (const { columns, target } of keys) {
    const nullable = columns.find((name) =>
      table.columns.some((column) => column.name === name && column.notNull === undefined),
    )
    if (nullable === undefined)
      throw new PullError(
        'needs_table',
        `Rows of ${table.name} need rows of ${target.table}, because ${columns.join(', ')} must refer to them.`,
        {
          hint: target.table.startsWith('auth_')
            ? `A pull reads no users with --users none. Use --users masked, or leave ${table.name} out of --rows.`
            : `Add ${target.table} to --rows, or leave ${table.name} out.`,
        },
      )
    cleared.add(nullable)
  }
  return cleared
}

/** Sorts tables after the tables that they refer to. Tables that refer to each other in a circle keep their order. */
function inOrder(
  tables: readonly RelationRecord[],
  keys: readonly ForeignKey[],
): readonly RelationRecord[] {
  const ordered = new Set<RelationRecord>()
  const open = new Set<RelationRecord>()
  const visit = (table: RelationRecord): void => {
    if (ordered.has(table) || open.has(table)) return
    open.add(table)
    for (const key of keys)
      if (key.table === table.name)
        for (const other of tables) if (other.name === key.target.table) visit(other)
    ordered.add(table)
  }
  for (const table of tables) visit(table)
  return [...ordered]
}
