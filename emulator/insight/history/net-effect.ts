// The net effect of recorded changes on each table: which rows exist that did not exist before, and which rows existed and are gone.
// Intermediate versions of a row cancel out, so neither the order nor the number of the changes matters. Pure.
import type { RecordedChange, RecordedTable } from './read-history.ts'

/** A table as it is now. */
export interface PresentTable {
  readonly relation: number
  readonly name: string
  readonly columns: readonly PresentColumn[]
  /** Names of the primary key's columns; empty without one. */
  readonly key: readonly string[]
  readonly foreignKeys: readonly ForeignKey[]
  /** Names of the project's triggers that are enabled. */
  readonly triggers: readonly string[]
  /** Whether policies also apply to the owner. */
  readonly forcesRowSecurity: boolean
}

export interface ForeignKey {
  readonly name: string
  /** The oid of the table that it refers to. */
  readonly target: number
  /** Whether deleting a row deletes or changes the rows that refer to it. */
  readonly acts: boolean
  readonly columns: readonly string[]
  readonly targetColumns: readonly string[]
}

export interface PresentColumn {
  readonly name: string
  /** The type in SQL, with its schema when it is not built in. */
  readonly type: string
  /** False for a generated column. */
  readonly written: boolean
}

/** Cells by the names of columns, in Postgres's text format. */
export type NamedCells = ReadonlyMap<string, string | null>

export interface CountedRow {
  readonly cells: NamedCells
  readonly count: number
}

export interface NetEffect {
  readonly table: PresentTable
  /** Columns that every version of the rows has, and that exist now. */
  readonly shared: readonly PresentColumn[]
  /** Rows that exist now and did not exist before. */
  readonly added: readonly CountedRow[]
  /** Rows that existed before and do not exist now. */
  readonly removed: readonly CountedRow[]
}

/** A version of a row that came to exist or that ceased to exist. */
export interface RowVersion {
  readonly table: RecordedTable
  /** Cells in the order of `table.columns`, in Postgres's text format. */
  readonly cells: readonly (string | null)[]
  /** How many times more often the version came to exist than it ceased to exist. */
  readonly step: number
}

export function versionsOf(changes: readonly RecordedChange[]): readonly RowVersion[] {
  return changes.flatMap(({ after, before, table }) => [
    ...(after === undefined ? [] : [{ table, cells: after, step: 1 }]),
    ...(before === undefined ? [] : [{ table, cells: before, step: -1 }]),
  ])
}

/** @param versions of any tables; those of tables that no longer exist are left out */
export function netEffects(
  versions: readonly RowVersion[],
  present: ReadonlyMap<number, PresentTable>,
): readonly NetEffect[] {
  const byRelation = Map.groupBy(versions, ({ table }) => table.relation)
  return [...byRelation].flatMap(([relation, own]) => {
    const table = present.get(relation)
    return table === undefined ? [] : [netEffect(table, own)]
  })
}

function netEffect(table: PresentTable, versions: readonly RowVersion[]): NetEffect {
  const layouts = new Set(versions.map((version) => version.table))
  const shared = table.columns.filter(({ name }) =>
    [...layouts].every(({ columns }) => columns.some((column) => column.name === name)),
  )
  const rows = new Map<string, { readonly cells: NamedCells; count: number }>()
  for (const { cells, step, table: layout } of versions) {
    const named = new Map(layout.columns.map(({ name }, index) => [name, cells[index] ?? null]))
    const text = JSON.stringify(shared.map(({ name }) => named.get(name)))
    const known = rows.get(text)
    if (known === undefined) rows.set(text, { cells: named, count: step })
    else known.count += step
  }
  const all = [...rows.values()]
  return {
    table,
    shared,
    added: all.filter(({ count }) => count > 0),
    removed: all
      .filter(({ count }) => count < 0)
      .map(({ cells, count }) => ({ cells, count: -count })),
  }
}
