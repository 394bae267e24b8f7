// Creates the helper for one tenant of a test: its keys, users, SQL, identities and removal.
import type { SqlAnswer, SqlResult } from '../../contract/sql-console.ts'
import type { NewProjectUser, ProjectUser } from '../../contract/users.ts'
import { type Actor, actInTenant, type TenantIdentity } from './actor.ts'
import { callEmulator, callPlatform, type Platform, TestingError } from './platform.ts'
import { type ChangesFilter, changesDuring, type TestChange } from './tenant-changes.ts'
import { createTestMailbox, type TestMailbox } from './test-mailbox.ts'

/** Identity and keys of a tenant as plain data, which can be passed to another process. */
export interface TenantFacts {
  readonly slug: string
  /** `proj_<slug>`. */
  readonly schemaName: string
  readonly projectId: string
  /** Key of the role `anon`, which web pages may contain. */
  readonly anonKey: string
  /** Key of the role `service_role`, which passes row-level security. */
  readonly serviceRoleKey: string
  readonly groupId: string
  /** Key of the group's routes below `/groups/v1`. */
  readonly groupApiKey: string
}

/** A row with every value as Postgres's text, or null. */
export type SqlRow = Readonly<Record<string, string | null>>

/** The users of a tenant. */
export interface TenantUsers {
  /**
   * Creates a user without sending a message. The e-mail address and the phone number are confirmed by default.
   * @throws {TestingError} `refused`
   */
  create(order: NewProjectUser): Promise<ProjectUser>
}

/** A tenant of a test, with its keys, users, SQL and messages. */
export interface Tenant extends TenantFacts {
  /** Address of the platform, which is the first argument of `createClient`. */
  readonly url: string
  /** Environment variables with which an application connects to this tenant. */
  readonly environment: Readonly<Record<string, string>>
  /** Sends requests with an identity (default: `anon`). @throws {TestingError} `refused` for an unknown user */
  as(identity?: TenantIdentity): Promise<Actor>
  /**
   * Runs SQL as the project's owner in one transaction. Returns the rows of the last statement, at most 1,000.
   * @throws {TestingError} `sql_failed` with the message and hint of Postgres
   */
  sql(text: string): Promise<readonly SqlRow[]>
  /**
   * Returns the row changes that were committed while `block` ran, in order, made for inline snapshots. Requests that other
   * tests send to the tenant meanwhile count, too.
   * @throws {TestingError} `no_history` unless the emulator has the configuration `history`
   */
  changes(block: () => unknown, filter?: ChangesFilter): Promise<readonly TestChange[]>
  /** Creates users of the tenant. */
  readonly users: TenantUsers
  /** Messages that this tenant would have sent. */
  readonly mailbox: TestMailbox
  /** Removes and purges the tenant with its schema, users, files and messages. */
  remove(): Promise<void>
}

export function createTenant(platform: Platform, facts: TenantFacts): Tenant {
  const { slug, groupId, groupApiKey: credential } = facts
  return {
    ...facts,
    url: platform.origin,
    environment: environmentOf(platform, facts),
    as: (identity = {}) => actInTenant(platform, facts, identity),
    sql: (text) => runSql(platform, facts.schemaName, text),
    changes: (block, filter = {}) => changesDuring(platform, facts.schemaName, block, filter),
    users: {
      create: (order) =>
        callEmulator<ProjectUser>(platform, 'POST', `/projects/${facts.schemaName}/users`, order),
    },
    mailbox: createTestMailbox(platform, facts.schemaName),
    remove: async () => {
      const path = `/groups/v1/${groupId}/tenants/${slug}`
      await callPlatform(platform, 'DELETE', path, { credential })
      await callPlatform(platform, 'DELETE', `${path}/purge`, {
        credential,
        body: { confirm_slug: slug },
      })
    },
  }
}

/** Runs SQL as `Tenant.sql` does. @throws {TestingError} `sql_failed` */
export async function runSql(
  platform: Platform,
  schemaName: string,
  sql: string,
): Promise<readonly SqlRow[]> {
  const order = { sql, identity: 'owner' }
  const answer = await callEmulator<SqlAnswer>(
    platform,
    'POST',
    `/projects/${schemaName}/sql`,
    order,
  )
  if (answer.error !== null) throw failureOf(answer.error, schemaName)
  return rowsOf(answer.results.at(-1))
}

function environmentOf({ origin }: Platform, facts: TenantFacts): Record<string, string> {
  return {
    TENANTRY_AUTH_URL: origin,
    TENANTRY_DATA_URL: origin,
    TENANTRY_PROJECT: facts.slug,
    TENANTRY_SCHEMA: facts.schemaName,
    TENANTRY_ANON_KEY: facts.anonKey,
    TENANTRY_SERVICE_ROLE_KEY: facts.serviceRoleKey,
    TENANTRY_GROUP_ID: facts.groupId,
    TENANTRY_GROUP_API_KEY: facts.groupApiKey,
  }
}

function failureOf(error: NonNullable<SqlAnswer['error']>, schemaName: string): TestingError {
  const more = [error.detail, error.hint].filter(Boolean).join(' ')
  return new TestingError(
    'sql_failed',
    `SQL in ${schemaName} failed with ${error.code}: ${error.message}${more === '' ? '' : `. ${more}`}`,
  )
}

function rowsOf(result: SqlResult | undefined): readonly SqlRow[] {
  if (result === undefined) return []
  return result.rows.map((row) =>
    Object.fromEntries(result.columns.map(({ name }, index) => [name, row[index] ?? null])),
  )
}
