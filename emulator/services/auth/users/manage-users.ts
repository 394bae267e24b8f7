// Manages a project's end users for the emulator's own tools: list, create, show, ban, delete (docs/wire/auth.md#user).
import type { JsonObject } from '../../../core/json.ts'
import type { SchemaName } from '../../../core/names.ts'
import type { Addresses } from '../../../core/request-env.ts'
import { type EpochMillis, MINUTE_MILLIS, plusMillis, toIso } from '../../../core/time.ts'
import { SqlError } from '../../../database/engine.ts'
import { type Sql, sql } from '../../../database/sql.ts'
import { hashPassword } from '../../../platform/credentials/password-hash.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { type AuthTables, PLATFORM_NOW, type TextRow } from '../auth-tables.ts'
import type { AuthDeps } from '../deps.ts'
import { issueToken, verifyLink } from '../one-time-codes/link-tokens.ts'
import { requireStrength } from '../passwords/passwords.ts'
import { requireRedirect } from '../request/redirects.ts'
import { endSessionsOf, sessionsOf, type UserSessionRecord } from '../sessions/user-sessions.ts'
import { parseUser, USER_JSON, type UserRecord } from './user.ts'
import {
  createUser,
  type DeletedUser,
  deleteUser,
  ownIdentity,
  readUser,
  readUserBy,
  readUsersBy,
  requireMetadataSize,
} from './users.ts'

/** A user record with members that the user cannot read. */
export interface ManagedUser extends UserRecord {
  /** ISO 8601 UTC. */
  readonly banned_until: string | null
}

type UserSort = 'created' | 'seen' | 'address'

const SORTS: Readonly<Record<UserSort, Sql>> = {
  created: sql`u.created_at`,
  seen: sql`u.last_sign_in_at`,
  address: sql`pg_catalog.lower(coalesce(u.email, u.phone))`,
}

export interface UserPage {
  readonly limit: number
  readonly offset: number
  /** Part of an e-mail address or telephone number. */
  readonly search: string
  /** Default: newest first. Users who never signed in come last. */
  readonly sort?: UserSort
  readonly order?: 'asc' | 'desc'
}

export type UserDeletion =
  | ({ readonly kind: 'deleted' } & DeletedUser)
  | { readonly kind: 'unknown' }
  /** `inUse` means that rows of `table` refer to the user. */
  | { readonly kind: 'inUse'; readonly table: string | undefined }

export interface UserManagement {
  /** Returns one page of users, and the number of users on all pages. */
  list(
    schemaName: SchemaName,
    page: UserPage,
  ): Promise<{ readonly users: readonly ManagedUser[]; readonly total: number }>
  /** Finds users by their ids or lower-case e-mail addresses, in one round trip. The order of the users is undefined. */
  findAll(schemaName: SchemaName, references: readonly string[]): Promise<readonly UserRecord[]>
  /** Finds a user by id or by e-mail address, ignoring case. */
  find(schemaName: SchemaName, reference: string): Promise<UserRecord | undefined>
  /** Bans a user. @param until platform time at which the ban ends; `undefined` lifts the ban */
  ban(
    schemaName: SchemaName,
    userId: string,
    until: EpochMillis | undefined,
  ): Promise<ManagedUser | undefined>
  delete(schemaName: SchemaName, userId: string): Promise<UserDeletion>
  /** Returns a user with all sessions of the user. */
  detail(schemaName: SchemaName, userId: string): Promise<UserDetail | undefined>
  /** Creates a user without a sign-up and without a message. @throws {AuthError} `weak_password`, `invalid_request` */
  create(project: Project, order: UserOrder): Promise<ManagedUser | 'taken'>
  /**
   * Ends one session of the user, or all when `sessionId` is absent. Returns the number of ended sessions, or `undefined` for
   * an unknown user.
   */
  endSessions(
    schemaName: SchemaName,
    userId: string,
    sessionId?: string,
  ): Promise<number | undefined>
  /**
   * Creates a link that signs in as the user once and returns to the application, as a magic link does. Returns `undefined` for
   * an unknown user. @throws {AuthError} `invalid_redirect`
   */
  signInLink(
    project: Project,
    order: SignInLinkOrder,
  ): Promise<{ readonly url: string; readonly expiresAt: EpochMillis } | undefined>
}

export interface SignInLinkOrder {
  readonly userId: string
  /** Address of the application. */
  readonly redirectTo: string
  readonly addresses: Addresses
}

export interface UserDetail extends ManagedUser {
  readonly has_password: boolean
  /** Newest first. */
  readonly sessions: readonly UserSessionRecord[]
}

/** A user to create, with an e-mail address, a phone number or both. */
export interface UserOrder {
  readonly email?: string | undefined
  readonly phone?: string | undefined
  readonly emailConfirmed: boolean
  readonly phoneConfirmed: boolean
  readonly password?: string | undefined
  readonly userMetadata: JsonObject
}

const FOREIGN_KEY_VIOLATION = '23503'

/** Select list over `auth_users u` with the user record and the end of the ban. `managedUserOf` reads the row. */
const COLUMNS = sql`${USER_JSON},
  pg_catalog.to_char(u.banned_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

type ManagementDeps = Pick<AuthDeps, 'tables' | 'revokedUsers' | 'settings' | 'ids' | 'clock'>

export function createUserManagement(deps: ManagementDeps): UserManagement {
  const { tables, revokedUsers } = deps
  return {
    detail: (schemaName, userId) => detailOf(tables, schemaName, userId),
    create: (project, order) => createManaged(deps, project, order),
    signInLink: (project, order) => signInLink(deps, project, order),
    endSessions: async (schemaName, userId, sessionId) => {
      const user = await readUser(tables, schemaName, userId)
      return user && endSessionsOf(tables, schemaName, userId, sessionId)
    },
    list: async (schemaName, { limit, offset, order, search, sort = 'created' }) => {
      const matches = matching(search)
      const [users = [], counted] = await tables.read(
        schemaName,
        sql`select ${COLUMNS} from auth_users u where ${matches}
          order by ${SORTS[sort]} ${order === 'asc' ? sql`asc` : sql`desc`} nulls last, u.id limit ${limit} offset ${offset}`,
        sql`select pg_catalog.count(*) from auth_users u where ${matches}`,
      )
      return { users: users.map(managedUserOf), total: Number(counted?.[0]?.[0] ?? 0) }
    },
    findAll: (schemaName, references) => readUsersBy(tables, schemaName, references),
    find: (schemaName, reference) => readUserBy(tables, schemaName, reference),
    ban: (schemaName, userId, until) =>
      revokedUsers.inTurn(schemaName, userId, () => banUser(deps, schemaName, userId, until)),
    delete: async (schemaName, userId) => {
      try {
        const deleted = await deleteUser(tables, schemaName, userId)
        if (deleted === undefined) return { kind: 'unknown' }
        revokedUsers.delete(schemaName, userId)
        return { kind: 'deleted', ...deleted }
      } catch (error) {
        if (!(error instanceof SqlError && error.code === FOREIGN_KEY_VIOLATION)) throw error
        return { kind: 'inUse', table: error.facts.table }
      }
    },
  }
}

async function banUser(
  { revokedUsers, tables }: Pick<AuthDeps, 'tables' | 'revokedUsers'>,
  schemaName: SchemaName,
  userId: string,
  until: EpochMillis | undefined,
): Promise<ManagedUser | undefined> {
  const end = until === undefined ? null : toIso(until)
  const [rows] = await tables.write(
    schemaName,
    sql`with u as (
        update auth_users set banned_until = ${end}::timestamptz, updated_at = ${PLATFORM_NOW}
        where id = ${userId}
        returning *
      )
      select ${COLUMNS} from u`,
  )
  const row = rows?.[0]
  if (row === undefined) return undefined
  revokedUsers.ban(schemaName, userId, until)
  return managedUserOf(row)
}

async function detailOf(
  tables: AuthTables,
  schemaName: SchemaName,
  userId: string,
): Promise<UserDetail | undefined> {
  const [rows] = await tables.read(
    schemaName,
    sql`select ${COLUMNS}, exists (select from auth_credentials c where c.user_id = u.id)
      from auth_users u where u.id = ${userId}`,
  )
  const row = rows?.[0]
  if (row === undefined) return undefined
  return {
    ...managedUserOf(row),
    has_password: row[2] === 't',
    sessions: await sessionsOf(tables, schemaName, userId),
  }
}

/** Platform milliseconds. The browser that requested the link opens it at once, so a short lifetime is enough. */
const SIGN_IN_LINK_MILLIS = 5 * MINUTE_MILLIS

// Without a target, opening the link does not confirm the user's e-mail address.
async function signInLink(
  deps: ManagementDeps,
  project: Project,
  { addresses, redirectTo, userId }: SignInLinkOrder,
): Promise<{ readonly url: string; readonly expiresAt: EpochMillis } | undefined> {
  const user = await readUser(deps.tables, project.schemaName, userId)
  if (user === undefined) return undefined
  const expiresAt = plusMillis(deps.clock.now(), SIGN_IN_LINK_MILLIS)
  const token = await issueToken(deps, project.schemaName, {
    purpose: 'magic_link',
    userId,
    target: undefined,
    redirectTo: requireRedirect(deps.settings.settingsOf(project.id), redirectTo),
    facts: {},
    lifetimeMillis: SIGN_IN_LINK_MILLIS,
  })
  return { url: verifyLink(addresses, project, 'magic_link', token), expiresAt }
}

async function createManaged(
  deps: ManagementDeps,
  { id, schemaName }: Project,
  { email, phone, password, ...order }: UserOrder,
): Promise<ManagedUser | 'taken'> {
  if (password !== undefined) requireStrength(password, deps.settings.settingsOf(id))
  requireMetadataSize(order.userMetadata)
  const creation = await createUser(deps.tables, schemaName, {
    ...(email === undefined ? {} : { email }),
    ...(phone === undefined ? {} : { phone }),
    ...(password === undefined ? {} : { passwordHash: await hashPassword(password, deps.ids) }),
    id: deps.ids.uuid(),
    emailConfirmed: email !== undefined && order.emailConfirmed,
    phoneConfirmed: phone !== undefined && order.phoneConfirmed,
    userMetadata: order.userMetadata,
    identities: [
      ...(email === undefined ? [] : [ownIdentity('email', email)]),
      ...(phone === undefined ? [] : [ownIdentity('phone', phone)]),
    ],
  })
  return creation.kind === 'taken' ? 'taken' : { ...creation.user, banned_until: null }
}

// The condition uses strpos instead of LIKE, so that `%` and `_` in the search text have no special meaning.
function matching(search: string): Sql {
  if (search === '') return sql`true`
  const text = search.toLowerCase()
  return sql`(pg_catalog.strpos(pg_catalog.lower(u.email), ${text}) > 0 or pg_catalog.strpos(u.phone, ${text}) > 0 or u.id::text = ${text})`
}

function managedUserOf([record, bannedUntil]: TextRow): ManagedUser {
  const user = parseUser(record ?? '')
  return { ...user, banned_until: bannedUntil ?? null }
}
