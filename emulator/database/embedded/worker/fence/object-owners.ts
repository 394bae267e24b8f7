// Finds the owner of a database object: a tenant, the platform, or none when all share the object. The fence calls this module
// for rows of catalogues and for functions that take an oid.
import type { Backend } from '../backend/backend.ts'
import { Catalogue, ObjectParents } from './object-parents.ts'

/** The owner of objects that tenants must not find. */
export const PLATFORM_INTERNAL: unique symbol = Symbol('platform inside')

/** A tenant's schema name, or `PLATFORM_INTERNAL`. `undefined` for shared objects and for missing objects. */
export type ObjectOwner = string | typeof PLATFORM_INTERNAL | undefined

/** Objects below this oid come with PostgreSQL. */
export const FIRST_NORMAL_OID = 16384

const SHARED_ROLES = new Set(['anon', 'authenticated', 'service_role'])
const OWNER_ROLE = /^(proj_.+)_owner$/
const REALTIME_ROLE = /^rt_(proj_.+)$/
const CATALOGUE_SHIFT = 2 ** 32
// Limit of cached owners, which take about 5 MB.
const REMEMBERED = 100_000

export class ObjectOwners {
  readonly #backend: Backend
  readonly #parents: ObjectParents
  readonly #schemas = new Map<number, ObjectOwner>()
  readonly #roles = new Map<number, ObjectOwner>()
  /** Cached owners. An object keeps its owner as long as its schema exists. */
  readonly #known = new Map<number, ObjectOwner>()

  constructor(backend: Backend) {
    this.#backend = backend
    this.#parents = new ObjectParents(backend)
  }

  /** Replaces the map from a schema's oid to its owner. A schema that is missing in the map is shared. */
  setSchemas(owners: ReadonlyMap<number, ObjectOwner>): void {
    this.#schemas.clear()
    this.#roles.clear()
    this.#known.clear()
    for (const [namespace, owner] of owners) this.#schemas.set(namespace, owner)
  }

  ofSchema(namespace: number): ObjectOwner {
    return this.#schemas.get(namespace)
  }

  /** Returns the owner of the object with this oid in a catalogue. This call needs an open transaction. */
  of(catalogue: number, object: number): ObjectOwner {
    if (catalogue === Catalogue.namespace) return this.#schemas.get(object)
    if (object < FIRST_NORMAL_OID) return undefined
    if (catalogue === Catalogue.role) return this.#ofRole(object)
    const key = catalogue * CATALOGUE_SHIFT + object
    const known = this.#known.get(key)
    if (known !== undefined || this.#known.has(key)) return known
    const parent = this.#parents.parentOf(catalogue, object)
    // A missing object is not cached, because a later object with this oid may belong to any tenant.
    if (parent === undefined) return undefined
    const owner = this.of(parent.catalogue, parent.object)
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    this.#known.set(key, owner)
    return owner
  }

  #ofRole(role: number): ObjectOwner {
    if (this.#roles.has(role)) return this.#roles.get(role)
    const backend = this.#backend
    const address = backend.module._GetUserNameFromId(role, 1)
    if (address === 0) return undefined
    const owner = ownerOfRole(backend.readText(address))
    this.#roles.set(role, owner)
    return owner
  }
}

function ownerOfRole(name: string): ObjectOwner {
  if (SHARED_ROLES.has(name)) return undefined
  return OWNER_ROLE.exec(name)?.[1] ?? REALTIME_ROLE.exec(name)?.[1] ?? PLATFORM_INTERNAL
}
