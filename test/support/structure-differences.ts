// Lists the differences of two structures, to check that a clone equals its template.
import { type JsonValue, stableStringify } from '../../emulator/core/json.ts'
import { renameStructure } from '../../emulator/database/template/rename-structure.ts'
import type { SchemaStructure } from '../../emulator/database/template/structure.ts'

interface Keyed {
  readonly key: string
}

/**
 * Lists the differences of two structures, one line each, and ignores the names of the two schemas. A line is, for example,
 * `relations relation:orders: only before`.
 */
export function structureDifferences(
  before: SchemaStructure,
  after: SchemaStructure,
): readonly string[] {
  const other = renameStructure(after, before.schemaName)
  return [
    ...(before.schemaComment === other.schemaComment ? [] : ['the comment on the schema differs']),
    ...Object.entries(sectionsOf(before)).flatMap(([section, records]) =>
      sectionDifferences(section, records, sectionsOf(other)[section] ?? []),
    ),
  ]
}

// The comparison covers the records of objects, without the dependencies between objects.
function sectionsOf({
  schemaName: _name,
  schemaComment: _comment,
  dependencies: _dependencies,
  ...sections
}: SchemaStructure): Readonly<Record<string, readonly Keyed[]>> {
  return sections
}

function sectionDifferences(
  section: string,
  before: readonly Keyed[],
  after: readonly Keyed[],
): readonly string[] {
  const afterByKey = new Map(after.map((record) => [record.key, record]))
  const beforeKeys = new Set(before.map(({ key }) => key))
  return [
    ...before.flatMap((record) => {
      const other = afterByKey.get(record.key)
      if (other === undefined) return [`${section} ${record.key}: only before`]
      return fieldDifferences(record, other).map((words) => `${section} ${record.key}: ${words}`)
    }),
    ...after
      .filter(({ key }) => !beforeKeys.has(key))
      .map(({ key }) => `${section} ${key}: only after`),
  ]
}

function fieldDifferences(before: object, after: object): readonly string[] {
  const was = new Map(Object.entries(before))
  const is = new Map(Object.entries(after))
  const names = [...new Set([...was.keys(), ...is.keys()])]
  return names.flatMap((name) => {
    const [left, right] = [text(was.get(name)), text(is.get(name))]
    return left === right ? [] : [`${name} is ${right}, was ${left}`]
  })
}

function text(value: JsonValue | undefined): string {
  return value === undefined ? 'absent' : stableStringify(value)
}
