// Grants and revokes that turn the first structure's privileges into the second's. Pure.
import { ownerRoleOf } from '../../core/names.ts'
import type { GrantRecord, Privileges } from '../catalog/grants.ts'
import { initialOf, KIND_OF } from '../template/ddl/grant.ts'
import type { SchemaStructure } from '../template/structure.ts'
import { draft, type NotGenerated } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable } from './objects.ts'
import {
  type Change,
  grantText,
  type PrivilegePlan,
  privilegeChanges,
  publicGrant,
} from './privilege-changes.ts'
import { type Changes, isCreated } from './rebuild.ts'

/** An object to which privileges belong. */
interface Target {
  readonly on: GrantRecord['on']
  readonly object: string
  readonly isNew: boolean
}

export function planPrivileges(changes: Changes): PrivilegePlan {
  const [before, after] = [changes.from.structure, changes.to.structure]
  const owner = ownerRoleOf(after.schemaName)
  const [had, has] = [before, after].map(
    ({ grants }) => new Map(grants.map((record) => [record.key, record])),
  )
  const objectsOf = new Map<string, string[]>()
  const notGenerated: NotGenerated[] = []
  const revoked = new Map<string, readonly Change[]>()
  const plan = ({ isNew, object, on }: Target, column?: string) => {
    const key = `${on}:${object}${column === undefined ? '' : `.${column}`}`
    const ofObject = column === undefined
    const initial = ofObject ? initialOf(on, owner) : []
    const created = ofObject ? onCreation(before, on, owner) : []
    const start = isNew ? created : (had?.get(key)?.entries ?? initial)
    const wanted = has?.get(key)?.entries ?? initial
    const changed = privilegeChanges(withoutRevoked(start, revoked.get(object) ?? []), wanted)
    if (ofObject) revoked.set(object, changed)
    for (const change of changed) {
      if (change.verb === 'grant' && change.role === 'public') {
        notGenerated.push(publicGrant(`${on} ${object.replace(`${after.schemaName}.`, '')}`))
        continue
      }
      const action = grantText(change, `${on} %`, column)
      objectsOf.set(action, [...(objectsOf.get(action) ?? []), object])
    }
  }
  const targets = targetsOf(changes)
  for (const target of targets) plan(target)
  for (const { column, target } of columnsOf(changes, targets)) plan(target, column)
  return {
    drafts: [...objectsOf].map(([action, objects]) =>
      draft(action.replace('%', () => objects.join(', '))),
    ),
    notGenerated,
  }
}

// Removes the column privileges that a REVOKE on the table also revokes.
function withoutRevoked(
  entries: readonly Privileges[],
  changes: readonly Change[],
): readonly Privileges[] {
  return entries.map((entry) => ({
    ...entry,
    privileges: entry.privileges.filter(
      (privilege) =>
        !changes.some(
          ({ privileges, role, verb }) =>
            verb === 'revoke' && role === entry.grantee && privileges.includes(privilege),
        ),
    ),
  }))
}

/** Lists the objects of the second structure that have privileges. */
function targetsOf(changes: Changes): readonly Target[] {
  const { structure } = changes.to
  const qualified = (name: string) => `${structure.schemaName}.${plainIdentifier(name)}`
  const identities = structure.relations.flatMap(({ columns, key, name }) =>
    columns.flatMap((column): Target[] =>
      column.identity === undefined
        ? []
        : [
            {
              on: 'sequence',
              object: column.identity.sequence,
              isNew: isCreated(changes, key) || isIdentityNew(changes, name, column.name),
            },
          ],
    ),
  )
  return [
    ...structure.relations.map(
      ({ key, name }): Target => ({
        on: 'table',
        object: qualified(name),
        isNew: isCreated(changes, key),
      }),
    ),
    ...structure.sequences.map(
      ({ key, name }): Target => ({
        on: 'sequence',
        object: qualified(name),
        isNew: isCreated(changes, key),
      }),
    ),
    ...identities,
    ...structure.routines.map(
      ({ key, signature }): Target => ({
        on: 'routine',
        object: signature,
        isNew: isCreated(changes, key),
      }),
    ),
    ...structure.types.map(
      ({ key, name }): Target => ({
        on: 'type',
        object: qualified(name),
        isNew: isCreated(changes, key),
      }),
    ),
  ]
}

function isIdentityNew({ from, regenerated }: Changes, table: string, column: string): boolean {
  const before = from.relation(table)?.columns.find(({ name }) => name === column)
  return before?.identity === undefined || regenerated.has(`${table}.${column}`)
}

/** Lists the columns that have their own privileges in the first or in the second structure. */
function columnsOf(
  changes: Changes,
  targets: readonly Target[],
): readonly { readonly target: Target; readonly column: string }[] {
  const { from, to } = changes
  const tables = new Map(targets.filter(({ on }) => on === 'table').map((one) => [one.object, one]))
  const seen = new Set<string>()
  return [...to.structure.grants, ...from.structure.grants].flatMap(({ column, key, object }) => {
    const target = tables.get(object)
    if (column === undefined || target === undefined || seen.has(key)) return []
    seen.add(key)
    const relation = to.structure.relations.find(
      ({ name }) => object === `${to.structure.schemaName}.${plainIdentifier(name)}`,
    )
    const has = relation?.columns.some(({ name }) => plainIdentifier(name) === column) ?? false
    const isNew = target.isNew || isColumnNew(changes, relation?.name ?? '', column)
    return has ? [{ target: { ...target, isNew }, column }] : []
  })
}

function isColumnNew({ from, regenerated }: Changes, table: string, column: string): boolean {
  const before = from.relation(table)
  if (before === undefined || !isTable(before)) return before === undefined
  const old = before.columns.find(({ name }) => plainIdentifier(name) === column)
  return old === undefined || regenerated.has(`${table}.${old.name}`)
}

/** The privileges that a new object gets from Postgres and from the owner's default privileges. */
function onCreation(
  { defaultPrivileges }: SchemaStructure,
  on: GrantRecord['on'],
  owner: string,
): readonly Privileges[] {
  const mine = defaultPrivileges.filter(
    (record) => record.on !== 'schemas' && KIND_OF[record.on] === on,
  )
  const everywhere = mine.find(({ inSchema }) => !inSchema)?.entries ?? initialOf(on, owner)
  return [
    ...everywhere,
    ...mine.filter(({ inSchema }) => inSchema).flatMap(({ entries }) => entries),
  ]
}
