// Renders the renames that a caller states as statements. Postgres executes them, and the differ then compares the renamed
// structure (generate-step.ts). Pure.
import type { SchemaStructure } from '../template/structure.ts'
import type { Rename } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable } from './objects.ts'

/** Thrown when a rename names an object that the structure does not have, or a new name that is taken. */
export class RenameError extends Error {
  override readonly name = 'RenameError'
}

/** Names in the structure while renames are carried out. */
interface Names {
  readonly relations: Set<string>
  /** The columns of each table, with `false` for a column that only a parent declares. */
  readonly columns: Map<string, Map<string, boolean>>
}

/**
 * Returns the statements. Tables come first, because the rename of a column uses the table's new name. The statements name no
 * schema and have no closing semicolon.
 * @throws {RenameError} when an object does not exist or the new name is taken
 */
export function renameStatements(
  { relations }: SchemaStructure,
  renames: readonly Rename[],
): readonly string[] {
  const names: Names = {
    relations: new Set(relations.map(({ name }) => name)),
    columns: new Map(
      relations
        .filter(isTable)
        .map((table) => [
          table.name,
          new Map(table.columns.map((column) => [column.name, column.local])),
        ]),
    ),
  }
  const tables = renames.filter(({ kind }) => kind === 'table')
  const columns = renames.filter(({ kind }) => kind === 'column')
  return [
    ...tables.map((rename) => renameTable(names, rename)),
    ...columns.map((rename) => renameColumn(names, rename)),
  ]
}

function renameTable(names: Names, { from, to }: Rename): string {
  const columns = columnsOf(names, from)
  if (names.relations.has(to))
    throw new RenameError(`The table ${from} cannot become ${to}, because ${to} exists already.`)
  names.relations.delete(from)
  names.relations.add(to)
  names.columns.delete(from)
  names.columns.set(to, columns)
  return `alter table ${plainIdentifier(from)} rename to ${plainIdentifier(to)}`
}

function renameColumn(names: Names, { from, to }: Rename): string {
  const at = from.lastIndexOf('.')
  const [table, old] = [from.slice(0, at), from.slice(at + 1)]
  const name = to.includes('.') ? to.slice(to.lastIndexOf('.') + 1) : to
  const columns = columnsOf(names, table)
  const isLocal = columns.get(old)
  if (isLocal === undefined) throw new RenameError(`The table ${table} has no column ${old}.`)
  if (!isLocal)
    throw new RenameError(
      `The column ${from} belongs to a parent table. Rename the parent's column instead.`,
    )
  if (columns.has(name))
    throw new RenameError(
      `The column ${from} cannot become ${name}, because ${name} exists already.`,
    )
  columns.delete(old)
  columns.set(name, true)
  return `alter table ${plainIdentifier(table)} rename column ${plainIdentifier(old)} to ${plainIdentifier(name)}`
}

function columnsOf({ columns }: Names, table: string): Map<string, boolean> {
  const found = columns.get(table)
  if (found === undefined) throw new RenameError(`The project has no table ${table}.`)
  return found
}
