// Lists the differences of two structures. Tests use it to check that a clone equals its template. Pure.
import { type JsonValue, stableStringify } from '../../core/json.ts'
import { renameStructure } from './rename-structure.ts'
import type { SchemaStructure } from './structure.ts'

const SECTIONS = [
  'collations',
  'conversions',
  'dictionaries',
  'configurations',
  'types',
  'sequences',
  'routines',
  'operators',
  'casts',
  'relations',
  'constraints',
  'indexes',
  'statistics',
  'triggers',
  'rules',
  'policies',
  'grants',
  'defaultPrivileges',
  'comments',
] as const satisfies readonly (keyof SchemaStructure)[]

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
    ...SECTIONS.flatMap((section) => sectionDifferences(section, before[section], other[section])),
  ]
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
