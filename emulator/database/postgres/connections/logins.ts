// How Tenantry logs in to a server: one database for each project, and one login for each of its roles. A login can become its
// own role only, so no SQL of a session reaches another role. projects/ creates the logins, and pool/ opens connections with them.
import { createHmac } from 'node:crypto'
import { ownerRoleOf, type SchemaName } from '../../../core/names.ts'
import { type Actor, type PlatformScope, SHARED_ROLES, type SharedRole } from '../../engine.ts'
import type { RunningServer, ServerAddress } from '../server/running-server.ts'

/** The role of a project's login: a shared role, the realtime role, or all roles that a rehearsal works as. */
export type LoginKind = SharedRole | 'realtime' | 'rehearsal'

// A schema name has up to 49 bytes and a role name 63, so the kinds are abbreviated.
const SUFFIXES: Readonly<Record<LoginKind, string>> = {
  anon: '_login_an',
  authenticated: '_login_au',
  service_role: '_login_sr',
  auth_admin: '_login_aa',
  row_reader: '_login_rr',
  realtime: '_login_rt',
  rehearsal: '_login_re',
}

/** The kinds of logins of every project. The owner is a login itself. */
export const LOGIN_KINDS = Object.keys(SUFFIXES) as readonly LoginKind[]

const SHARED: ReadonlySet<string> = new Set(SHARED_ROLES)

/** Name of the login with which connections work as the role of this kind. */
export function loginRoleOf(schemaName: SchemaName, kind: LoginKind): string {
  return `${schemaName}${SUFFIXES[kind]}`
}

/** Name of the database of a project. */
export function databaseOf(prefix: string, schemaName: SchemaName): string {
  return `${prefix}${schemaName}`
}

/** The password of a login of a project. */
export function passwordOf(secret: Uint8Array, login: string): string {
  return createHmac('sha256', secret).update(login).digest('base64url')
}

export class Logins {
  readonly #server: Pick<RunningServer, 'address' | 'prefix' | 'secret'>

  constructor(server: Pick<RunningServer, 'address' | 'prefix' | 'secret'>) {
    this.#server = server
  }

  /** The login of a project's own or shared role. The caller has checked the role (own-role.ts). */
  ofActor({ schemaName, role }: Actor): ServerAddress {
    if (role === ownerRoleOf(schemaName)) return this.#as(schemaName, role)
    const kind = SHARED.has(role) ? (role as SharedRole) : 'realtime'
    return this.#as(schemaName, loginRoleOf(schemaName, kind))
  }

  /** The login that works as the owner and as the roles of requests, for a rehearsal. */
  ofRehearsal(schemaName: SchemaName): ServerAddress {
    return this.#as(schemaName, loginRoleOf(schemaName, 'rehearsal'))
  }

  /** The platform's own account, in a project's database or in the one of the server's address. */
  ofPlatform(where: PlatformScope): ServerAddress {
    const { address, prefix } = this.#server
    return where === 'cluster' ? address : { ...address, database: databaseOf(prefix, where) }
  }

  #as(schemaName: SchemaName, user: string): ServerAddress {
    const { address, prefix, secret } = this.#server
    const password = passwordOf(secret, user)
    return { ...address, user, password, database: databaseOf(prefix, schemaName) }
  }
}
