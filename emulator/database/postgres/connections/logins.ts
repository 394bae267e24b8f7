// How Tenantry logs in to a server: one database for each project, and one login for each of its roles. A login can become its
// own role only, so no SQL of a session reaches another role. projects/ creates the logins, and pool/ opens connections with them.

import { createHmac } from 'node:crypto'
import { ownerRoleOf, type SchemaName, slugOf } from '../../../core/names.ts'
import { type Actor, SHARED_ROLES, type SharedRole } from '../../../core/principal.ts'
import type { PlatformScope } from '../../engine.ts'
import type { RunningServer, ServerAddress } from '../server/running-server.ts'

/**
 * What a login is for. `rehearsal` can become all roles that a rehearsal works as. `builder` is the owner without event
 * triggers. `client` is for programs of the user, which work as the owner. Each other login becomes the role of its name.
 */
export type LoginKind = SharedRole | 'owner' | 'realtime' | 'rehearsal' | 'builder' | 'client'

// A role name has up to 63 bytes: a prefix of 8, a slug of up to 48 (prepared clones), and one of these suffixes. No slug
// contains a dot, so a login's name never equals another role's name.
const SUFFIXES: Readonly<Record<LoginKind, string>> = {
  owner: '.owner',
  anon: '.anon',
  authenticated: '.user',
  service_role: '.svc',
  auth_admin: '.auth',
  row_reader: '.reader',
  realtime: '.rt',
  rehearsal: '.trial',
  builder: '.build',
  client: '.client',
}

/** The kinds of logins of every project. */
export const LOGIN_KINDS = Object.keys(SUFFIXES) as readonly LoginKind[]

const SHARED: ReadonlySet<string> = new Set(SHARED_ROLES)

/** Name of the login of this kind. Servers of several data directories distinguish them by the prefix. */
export function loginRoleOf(prefix: string, schemaName: SchemaName, kind: LoginKind): string {
  return `${prefix}${slugOf(schemaName)}${SUFFIXES[kind]}`
}

/** Name of the database of a project. */
export function databaseOf(prefix: string, schemaName: SchemaName): string {
  return `${prefix}${schemaName}`
}

/** The password of a login of a project. */
export function passwordOf(secret: Uint8Array, login: string): string {
  return createHmac('sha256', secret).update(login).digest('base64url')
}

// Postgres lets each login change the settings of its own later sessions. Settings that are sent when a connection starts
// override them.
const NEUTRAL: Readonly<Record<string, string>> = {
  default_transaction_read_only: 'off',
  default_transaction_isolation: 'read\\ committed',
  statement_timeout: '0',
  lock_timeout: '0',
  transaction_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  row_security: 'on',
}

/** The settings with which a session of the engine begins, in libpq's form. */
export function sessionOptions(role: string): string {
  return Object.entries({ role, ...NEUTRAL })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ')
}

export class Logins {
  readonly #server: Pick<RunningServer, 'address' | 'prefix' | 'secret'>

  constructor(server: Pick<RunningServer, 'address' | 'prefix' | 'secret'>) {
    this.#server = server
  }

  /** The login of a project's own or shared role. The caller has checked the role (`requireOwnRole`). */
  ofActor({ schemaName, role }: Actor): ServerAddress {
    if (role === ownerRoleOf(schemaName)) return this.#as(schemaName, 'owner')
    return this.#as(schemaName, SHARED.has(role) ? (role as SharedRole) : 'realtime')
  }

  /** The login that works as the owner while no event trigger fires. */
  ofBuilder(schemaName: SchemaName): ServerAddress {
    return this.#as(schemaName, 'builder')
  }

  /** The login that works as the owner and as the roles of requests, for a rehearsal. */
  ofRehearsal(schemaName: SchemaName): ServerAddress {
    return this.#as(schemaName, 'rehearsal')
  }

  /** The platform's own account, in a project's database or in the database that the server's address names. */
  ofPlatform(where: PlatformScope): ServerAddress {
    const { address, prefix } = this.#server
    return where === 'cluster' ? address : { ...address, database: databaseOf(prefix, where) }
  }

  #as(schemaName: SchemaName, kind: LoginKind): ServerAddress {
    const { address, prefix, secret } = this.#server
    const user = loginRoleOf(prefix, schemaName, kind)
    const password = passwordOf(secret, user)
    return { ...address, user, password, database: databaseOf(prefix, schemaName) }
  }
}
