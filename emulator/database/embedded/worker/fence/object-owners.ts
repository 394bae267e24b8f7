// Whose an object of the database is: a tenant's, the platform's own, or shared by all. Called by the fence, for rows of
// catalogues and for functions that take an oid.
import type { Backend } from '../backend/backend.ts'
import { Catalogue, ObjectHomes } from './object-homes.ts'

/** Owner of what no tenant needs to know. */
export const PLATFORM_INSIDE = Symbol('platform inside')

/** A tenant's schema name; `undefined` for what all tenants share and what does not exist. */
export type ObjectOwner = string | typeof PLATFORM_INSIDE | undefined

/** Objects with smaller oids come with PostgreSQL. */
export const FIRST_NORMAL_OID = 16384

const SHARED_ROLES = new Set(['anon', 'authenticated', 'service_role'])
const OWNER_ROLE = /^(proj_.+)_owner$/
const REALTIME_ROLE = /^rt_(proj_.+)$/
const CATALOGUE_SHIFT = 2 ** 32
// About 5 MB.
const REMEMBERED = 100_000

export class ObjectOwners {
  readonly #backend: Backend
  readonly #homes: ObjectHomes
  readonly #schemas = new Map<number, ObjectOwner>()
  readonly #roles = new Map<number, ObjectOwner>()
  /** An object keeps its owner for as long as its schema is there. */
  readonly #known = new Map<number, ObjectOwner>()

  constructor(backend: Backend) {
    this.#backend = backend
    this.#homes = new ObjectHomes(backend)
  }

  /** Replaces the map from a schema's oid to its owner. Schemas that are missing in it are shared. */
  setSchemas(owners: ReadonlyMap<number, ObjectOwner>): void {
    this.#schemas.clear()
    this.#roles.clear()
    this.#known.clear()
    for (const [namespace, owner] of owners) this.#schemas.set(namespace, owner)
  }

  ofSchema(namespace: number): ObjectOwner {
    return this.#schemas.get(namespace)
  }

  /** Owner of the object with this oid in a catalogue. Needs an open transaction. */
  of(catalogue: number, object: number): ObjectOwner {
    if (catalogue === Catalogue.namespace) return this.#schemas.get(object)
    if (object < FIRST_NORMAL_OID) return undefined
    if (catalogue === Catalogue.role) return this.#ofRole(object)
    const key = catalogue * CATALOGUE_SHIFT + object
    const known = this.#known.get(key)
    if (known !== undefined || this.#known.has(key)) return known
    const holder = this.#homes.holderOf(catalogue, object)
    // What does not exist yet may be any tenant's later.
    if (holder === undefined) return undefined
    const owner = this.of(holder.catalogue, holder.object)
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
  return OWNER_ROLE.exec(name)?.[1] ?? REALTIME_ROLE.exec(name)?.[1] ?? PLATFORM_INSIDE
}
