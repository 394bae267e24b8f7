// Statements that turn the first structure's comments into the second's. Pure.
import { quoteLiteral } from '../sql.ts'
import { type Draft, draft } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import { type Objects, relationKey } from './objects.ts'
import { type Changes, isCreated } from './rebuild.ts'

/** The comments of new objects, of changed ones, and `is null` for comments that are gone. */
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
export function commentOwners({ byKey, structure }: Objects): (object: string) => string | undefined {
  const { schemaName } = structure
  const owners = new Map<string, string>()
  const local = (name: string) => `${schemaName}.${plainIdentifier(name)}`
  for (const object of byKey.values()) {
    const { key, record, section } = object
    if (section === 'relations') {
      const kind = { table: 'table', partitioned: 'table', view: 'view', materialized: 'materialized view' }
      owners.set(`${kind[record.kind]} ${local(record.name)}`, key)
      for (const column of record.columns)
        owners.set(`column ${local(record.name)}.${plainIdentifier(column.name)}`, key)
    } else if (section === 'types') addType(owners, key, record, local)
    else if (section === 'routines') {
      owners.set(`routine ${record.signature}`, key)
      if (record.aggregate !== undefined)
        owners.set(`aggregate ${record.aggregate.name}(${record.aggregate.arguments})`, key)
    } else if (section === 'indexes' || section === 'sequences' || section === 'statistics')
      owners.set(`${NAMED[section]} ${local(record.name)}`, key)
    else if (section === 'constraints') {
      owners.set(`constraint ${plainIdentifier(record.name)} on ${local(record.table)}`, key)
      owners.set(`index ${local(record.name)}`, key)
    } else if (section === 'triggers' || section === 'rules' || section === 'policies')
      owners.set(`${ON_TABLE[section]} ${plainIdentifier(record.name)} on ${local(record.table)}`, key)
    else if (section === 'operators' || section === 'casts') owners.set(ofKey(key), key)
    else if (section !== 'defaults') owners.set(`${OTHERS[section]} ${local(record.name)}`, key)
  }
  return (object) => owners.get(object)
}

const NAMED = { indexes: 'index', sequences: 'sequence', statistics: 'statistics' } as const
const ON_TABLE = { triggers: 'trigger', rules: 'rule', policies: 'policy' } as const
const OTHERS = {
  collations: 'collation',
  conversions: 'conversion',
  dictionaries: 'text search dictionary',
  configurations: 'text search configuration',
} as const

function addType(
  owners: Map<string, string>,
  key: string,
  record: { readonly name: string; readonly domain?: { readonly constraints: readonly { readonly name: string }[] } },
  local: (name: string) => string,
): void {
  const name = local(record.name)
  owners.set(`${record.domain === undefined ? 'type' : 'domain'} ${name}`, key)
  // Attributes of a composite type have comments as columns.
  for (const constraint of record.domain?.constraints ?? [])
    owners.set(`constraint ${plainIdentifier(constraint.name)} on domain ${name}`, key)
}

function ofKey(key: string): string {
  const at = key.indexOf(':')
  const [kind, name] = [key.slice(0, at), key.slice(at + 1)]
  return kind === 'cast' ? `cast (${name})` : `${kind} ${name}`
}
