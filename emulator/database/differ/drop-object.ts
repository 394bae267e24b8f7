// Statements that drop an object or move it out of the way. Pure.
import { quoteIdentifier } from '../sql.ts'
import type { Qualify } from '../template/ddl/create-object.ts'
import { type Draft, draft } from './difference.ts'
import { isTable, type SchemaObject } from './objects.ts'

/** Drops the object. @returns no statement when Postgres drops the object together with another one */
export function dropObject(object: SchemaObject, qualify: Qualify): readonly Draft[] {
  const { record, section } = object
  switch (section) {
    case 'relations':
      return [dropRelation(object, qualify)]
    case 'constraints':
      if (!record.local) return []
      return [
        draft(
          `alter table ${qualify(record.table)} drop constraint ${quoteIdentifier(record.name)}`,
        ),
      ]
    case 'triggers':
      if (record.definition === undefined) return []
      return [dropOn('trigger', record, qualify)]
    case 'rules':
      return [dropOn('rule', record, qualify)]
    case 'policies':
      return [dropOn('policy', record, qualify)]
    case 'defaults':
      return [
        draft(
          `alter table only ${qualify(record.table)} alter column ${quoteIdentifier(record.column)} drop default`,
        ),
      ]
    case 'routines':
      return [draft(`drop ${routineKind(record.kind)} ${record.signature}`)]
    case 'operators':
    case 'casts':
      return [draft(`drop ${droppedName(object.key)}`)]
    case 'sequences':
      return [
        draft(
          `drop sequence ${qualify(record.name)}`,
          `Drops the sequence ${record.name} and its position.`,
        ),
      ]
    default:
      return [draft(`drop ${KINDS[section]} ${qualify(record.name)}`)]
  }
}

const KINDS = {
  collations: 'collation',
  conversions: 'conversion',
  dictionaries: 'text search dictionary',
  configurations: 'text search configuration',
  types: 'type',
  indexes: 'index',
  statistics: 'statistics',
} as const

/** The temporary name of a replaced object, until all objects that use it have been changed. */
export function retiredName(name: string): string {
  return `${name.slice(0, 50)}_replaced`
}

/** Renames a type or a collation, so that its replacement can take the name. */
export function retire(object: SchemaObject, qualify: Qualify): Draft | undefined {
  const { record, section } = object
  if (section === 'types' || section === 'collations')
    return draft(
      `alter ${KINDS[section]} ${qualify(record.name)} rename to ${quoteIdentifier(retiredName(record.name))}`,
    )
  return undefined
}

/** Drops the object under the name that `retire` gave it. */
export function dropRetired(object: SchemaObject, qualify: Qualify): readonly Draft[] {
  const { record, section } = object
  if (section !== 'types' && section !== 'collations') return dropObject(object, qualify)
  return [draft(`drop ${KINDS[section]} ${qualify(retiredName(record.name))}`)]
}

function dropRelation(
  { record }: Extract<SchemaObject, { readonly section: 'relations' }>,
  qualify: Qualify,
): Draft {
  if (isTable(record))
    return draft(
      `drop table ${qualify(record.name)}`,
      `Drops the table ${record.name} and its rows.`,
      { kind: 'table', table: record.name },
    )
  const kind = record.kind === 'view' ? 'view' : 'materialized view'
  return draft(`drop ${kind} ${qualify(record.name)}`)
}

function dropOn(
  kind: string,
  { name, table }: { readonly name: string; readonly table: string },
  qualify: Qualify,
): Draft {
  return draft(`drop ${kind} ${quoteIdentifier(name)} on ${qualify(table)}`)
}

function routineKind(kind: 'function' | 'procedure' | 'aggregate' | 'window'): string {
  // `drop aggregate` has another syntax for arguments.
  return kind === 'window' ? 'function' : kind === 'aggregate' ? 'routine' : kind
}

function droppedName(key: string): string {
  const at = key.indexOf(':')
  const [kind, name] = [key.slice(0, at), key.slice(at + 1)]
  return kind === 'cast' ? `cast (${name})` : `${kind} ${name}`
}
