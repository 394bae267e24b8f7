// Statements that turn the first structure's comments into the second's. Pure.
import type { TypeRecord } from '../catalog/types.ts'
import { quoteLiteral } from '../sql.ts'
import { type Draft, draft } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import { type Objects, relationKey, type SchemaObject } from './objects.ts'
import { type Changes, isCreated } from './rebuild.ts'

/** Returns statements for new and changed comments, and `comment … is null` for removed comments. */
export function planComments(changes: Changes): readonly Draft[] {
  const { from, to } = changes
  const before = new Map(from.structure.comments.map(({ object, text }) => [object, text]))
  const after = new Map(to.structure.comments.map(({ object, text }) => [object, text]))
  const owners = commentOwners(to)
  const isNew = (object: string): boolean => {
    const key = owners(object)
    return key === undefined || isCreated(changes, key) || isNewColumn(changes, object, key)
  }
  return [
    ...[...before.keys()]
      .filter((object) => !after.has(object) && owners(object) !== undefined && !isNew(object))
      .map((object) => draft(`comment on ${object} is null`)),
    ...[...after]
      .filter(([object, text]) => before.get(object) !== text || isNew(object))
      .map(([object, text]) => draft(`comment on ${object} is ${quoteLiteral(text).trim()}`)),
  ]
}

function isNewColumn({ from, regenerated }: Changes, object: string, key: string): boolean {
  if (!object.startsWith('column ')) return false
  const table = key.slice(relationKey('').length)
  const column = from
    .relation(table)
    ?.columns.find(({ name }) => object.endsWith(`.${plainIdentifier(name)}`))
  return column === undefined || regenerated.has(`${table}.${column.name}`)
}

/** Returns the key of the object that a comment is on, or `undefined` when the structure does not have it. */
export function commentOwners({
  byKey,
  structure,
}: Objects): (object: string) => string | undefined {
  const local = (name: string) => `${structure.schemaName}.${plainIdentifier(name)}`
  const owners = new Map(
    [...byKey.values()].flatMap((object) =>
      namesOf(object, local).map((name) => [name, object.key] as const),
    ),
  )
  return (object) => owners.get(object)
}

/** Lists the names of the object and its parts in the syntax of `comment on`. */
function namesOf(object: SchemaObject, local: (name: string) => string): readonly string[] {
  const { key, record, section } = object
  switch (section) {
    case 'relations':
      return [
        `${RELATIONS[record.kind]} ${local(record.name)}`,
        ...record.columns.map(
          (column) => `column ${local(record.name)}.${plainIdentifier(column.name)}`,
        ),
      ]
    case 'types':
      return typeNames(record, local)
    case 'routines': {
      const { aggregate, signature } = record
      return aggregate === undefined
        ? [`routine ${signature}`]
        : [`aggregate ${aggregate.name}(${aggregate.arguments})`]
    }
    case 'constraints':
      return [
        `constraint ${plainIdentifier(record.name)} on ${local(record.table)}`,
        `index ${local(record.name)}`,
      ]
    case 'triggers':
    case 'rules':
    case 'policies':
      return [`${ON_TABLE[section]} ${plainIdentifier(record.name)} on ${local(record.table)}`]
    case 'operators':
    case 'casts':
      return [ofKey(key)]
    case 'defaults':
      return []
    default:
      return [`${NAMED[section]} ${local(record.name)}`]
  }
}

const RELATIONS = {
  table: 'table',
  partitioned: 'table',
  view: 'view',
  materialized: 'materialized view',
} as const
const ON_TABLE = { triggers: 'trigger', rules: 'rule', policies: 'policy' } as const
const NAMED = {
  indexes: 'index',
  sequences: 'sequence',
  statistics: 'statistics',
  collations: 'collation',
  conversions: 'conversion',
  dictionaries: 'text search dictionary',
  configurations: 'text search configuration',
} as const

function typeNames(
  { attributes, domain, name }: TypeRecord,
  local: (name: string) => string,
): readonly string[] {
  const type = local(name)
  return [
    `${domain === undefined ? 'type' : 'domain'} ${type}`,
    ...(attributes ?? []).map((attribute) => `column ${type}.${plainIdentifier(attribute.name)}`),
    ...(domain?.constraints ?? []).map(
      (constraint) => `constraint ${plainIdentifier(constraint.name)} on domain ${type}`,
    ),
  ]
}

function ofKey(key: string): string {
  const at = key.indexOf(':')
  const [kind, name] = [key.slice(0, at), key.slice(at + 1)]
  return kind === 'cast' ? `cast (${name})` : `${kind} ${name}`
}
