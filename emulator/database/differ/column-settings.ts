// Statements for the settings of a column that are not part of its definition: storage, compression, statistics, options. Pure.
import type { ColumnRecord } from '../catalog/relations.ts'
import { quoteIdentifier } from '../sql.ts'
import { optionList } from '../template/ddl/create-object.ts'
import type { Draft } from './difference.ts'

/** @param table the qualified name */
export function columnSettings(
  table: string,
  old: ColumnRecord,
  column: ColumnRecord,
): readonly Draft[] {
  const changes = [
    ...(old.storage === column.storage ? [] : [`set storage ${column.storage ?? 'default'}`]),
    ...(old.compression === column.compression
      ? []
      : [`set compression ${column.compression ?? 'default'}`]),
    ...(old.statisticsTarget === column.statisticsTarget
      ? []
      : [`set statistics ${column.statisticsTarget ?? 'default'}`]),
    ...optionChanges(old.options ?? [], column.options ?? []),
  ]
  return changes.map((change) => ({
    sql: `alter table only ${table} alter column ${quoteIdentifier(column.name)} ${change}`,
  }))
}

/** Returns `set (…)` and `reset (…)` for options as `name=value`. */
export function optionChanges(
  before: readonly string[],
  after: readonly string[],
): readonly string[] {
  const nameOf = (option: string) => option.slice(0, option.indexOf('='))
  const names = new Set(after.map(nameOf))
  const set = after.filter((option) => !before.includes(option))
  const reset = before.map(nameOf).filter((name) => !names.has(name))
  return [
    ...(set.length === 0 ? [] : [`set (${optionList(set)})`]),
    ...(reset.length === 0 ? [] : [`reset (${reset.join(', ')})`]),
  ]
}
