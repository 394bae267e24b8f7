// Grants, revokes and default privileges that turn the first structure's privileges into the second's. Pure.
import { ownerRoleOf } from '../../core/names.ts'
import type { DefaultPrivilegesRecord, GrantRecord, Privileges } from '../catalog/grants.ts'
import { quoteIdentifier } from '../sql.ts'
import { grantee } from '../template/ddl/create-object.ts'
import { initialOf, KIND_OF } from '../template/ddl/grant.ts'
import type { SchemaStructure } from '../template/structure.ts'
import { type Draft, draft, type NotGenerated } from './difference.ts'
import { plainIdentifier } from './local-names.ts'
import { isTable } from './objects.ts'
import { type Changes, isCreated } from './rebuild.ts'

export interface PrivilegePlan {
  readonly drafts: readonly Draft[]
  readonly notGenerated: readonly NotGenerated[]
}

/** An object that privileges are on. */
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

// Postgres also revokes a privilege on the columns when it is revoked on the table.
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

function publicGrant(object: string): NotGenerated {
  return {
    object: `grant on ${object}`,
    reason: 'db/exec turns a grant to public into grants to anon and authenticated.',
  }
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

/** Lists the columns with privileges of their own, before or after. */
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

/** Returns changes of the default privileges for objects that the owner creates later. */
export function planDefaultPrivileges({ from, to }: Changes): PrivilegePlan {
  const owner = ownerRoleOf(to.structure.schemaName)
  const [before, after] = [from.structure, to.structure].map(
    ({ defaultPrivileges }) => new Map(defaultPrivileges.map((record) => [record.key, record])),
  )
  const notGenerated: NotGenerated[] = []
  const keys = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])
  const drafts = [...keys].flatMap((key) => {
    const record = after?.get(key) ?? before?.get(key)
    if (record === undefined) return []
    const initial = initialDefault(record, owner)
    const had = before?.get(key)?.entries ?? initial
    const has = after?.get(key)?.entries ?? initial
    const where = record.inSchema ? ` in schema ${quoteIdentifier(to.structure.schemaName)}` : ''
    return privilegeChanges(had, has).flatMap((change) => {
      if (change.verb === 'grant' && change.role === 'public') {
        notGenerated.push(publicGrant(`default privileges on ${record.on}`))
        return []
      }
      return [draft(`alter default privileges${where} ${grantText(change, record.on)}`)]
    })
  })
  return { drafts, notGenerated }
}

function initialDefault(
  { inSchema, on }: DefaultPrivilegesRecord,
  owner: string,
): readonly Privileges[] {
  return inSchema || on === 'schemas' ? [] : initialOf(KIND_OF[on], owner)
}

interface Change {
  readonly verb: 'grant' | 'revoke' | 'revoke option'
  readonly role: string
  readonly privileges: readonly string[]
  readonly isGrantable: boolean
}

function grantText(
  { isGrantable, privileges, role, verb }: Change,
  on: string,
  column?: string,
): string {
  const columns = column === undefined ? '' : ` (${column})`
  const list = privileges.map((privilege) => `${privilege.toLowerCase()}${columns}`).join(', ')
  if (verb === 'grant')
    return `grant ${list} on ${on} to ${grantee(role)}${isGrantable ? ' with grant option' : ''}`
  const option = verb === 'revoke option' ? 'grant option for ' : ''
  return `revoke ${option}${list} on ${on} from ${grantee(role)}`
}

// Revokes come before grants.
function privilegeChanges(
  before: readonly Privileges[],
  after: readonly Privileges[],
): readonly Change[] {
  const [had, has] = [privilegesOf(before), privilegesOf(after)]
  const roles = [...new Set([...had.keys(), ...has.keys()])]
  const changes = roles.flatMap((role): Change[] => {
    const [old, wanted] = [had.get(role) ?? new Map(), has.get(role) ?? new Map()]
    const gone = [...old.keys()].filter((privilege) => !wanted.has(privilege))
    const lowered = [...old.keys()].filter((one) => old.get(one) && wanted.get(one) === false)
    const added = (isGrantable: boolean) =>
      [...wanted.keys()].filter(
        (one) =>
          wanted.get(one) === isGrantable && (!old.has(one) || (isGrantable && !old.get(one))),
      )
    return [
      { verb: 'revoke', role, privileges: gone, isGrantable: false },
      { verb: 'revoke option', role, privileges: lowered, isGrantable: false },
      { verb: 'grant', role, privileges: added(false), isGrantable: false },
      { verb: 'grant', role, privileges: added(true), isGrantable: true },
    ]
  })
  const isRevoke = ({ verb }: Change) => verb !== 'grant'
  const real = changes.filter(({ privileges }) => privileges.length > 0)
  return [...real.filter(isRevoke), ...real.filter((change) => !isRevoke(change))]
}

/** Whether each privilege of each role is grantable. */
function privilegesOf(
  entries: readonly Privileges[],
): ReadonlyMap<string, ReadonlyMap<string, boolean>> {
  const roles = new Map<string, Map<string, boolean>>()
  for (const { grantable, grantee: role, privileges } of entries) {
    const held = roles.get(role) ?? new Map<string, boolean>()
    roles.set(role, held)
    for (const privilege of privileges)
      held.set(privilege, grantable || held.get(privilege) === true)
  }
  return roles
}
