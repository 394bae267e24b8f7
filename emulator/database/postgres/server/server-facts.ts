// Connects to a server with the platform's account and finds out what the account may do there.
import pg from 'pg'
import {
  type MissingCapability,
  type ServerAddress,
  ServerError,
  type ServerFacts,
} from './running-server.ts'
import { nameOf } from './server-url.ts'

const OLDEST = 17
const NEWEST = 18
const CONNECT_WITHIN_MILLIS = 10_000

// `pg_control_system` is the last column, because some hosted servers forbid it.
const FACTS = `select current_setting('server_version_num')::int / 10000 as "majorVersion",
  current_setting('server_version') as version, current_setting('server_encoding') as encoding,
  pg_is_in_recovery() as "isReplica", rolname as account, rolsuper as "isSuperuser", rolcreaterole as "createsRoles",
  rolcreatedb as "createsDatabases", rolbypassrls as "bypassesRls", rolconnlimit as "accountLimit",
  current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as "serverLimit",
  has_function_privilege('pg_control_system()', 'execute') as "readsIdentifier"
  from pg_roles where rolname = current_user`
const IDENTIFIER = 'select system_identifier::text as "systemIdentifier" from pg_control_system()'

interface AccountFacts {
  readonly majorVersion: number
  readonly version: string
  readonly encoding: string
  readonly isReplica: boolean
  readonly account: string
  readonly isSuperuser: boolean
  readonly createsRoles: boolean
  readonly createsDatabases: boolean
  readonly bypassesRls: boolean
  readonly accountLimit: number
  readonly serverLimit: number
  readonly readsIdentifier: boolean
}

/**
 * Reads the facts of a server.
 * @throws {ServerError} server_unreachable when no connection opens, server_refused when the server or account is unusable
 */
export async function readServerFacts(address: ServerAddress): Promise<ServerFacts> {
  const client = new pg.Client({ ...address, connectionTimeoutMillis: CONNECT_WITHIN_MILLIS })
  // Without a listener, a connection that breaks would end the process. The query's promise reports the same error.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<AccountFacts>(FACTS)
    const [facts] = rows
    if (facts === undefined) throw new Error('the account has no row in pg_roles')
    refuseUnusable(facts, address)
    const identity = facts.readsIdentifier
      ? await client.query<{ systemIdentifier: string }>(IDENTIFIER)
      : undefined
    return serverFacts(facts, identity?.rows[0]?.systemIdentifier)
  } catch (error) {
    throw error instanceof ServerError ? error : unreachable(address, error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

function refuseUnusable(facts: AccountFacts, address: ServerAddress): void {
  const place = `The server at ${nameOf(address)}`
  const { majorVersion, version, encoding, account } = facts
  if (majorVersion < OLDEST || majorVersion > NEWEST)
    throw refused(
      `${place} is PostgreSQL ${version}. Tenantry works with PostgreSQL ${OLDEST} and ${NEWEST}.`,
      'Use a server of one of these versions.',
    )
  if (facts.isReplica)
    throw refused(`${place} is a replica and accepts no writes.`, 'Use the primary server.')
  if (encoding !== 'UTF8')
    throw refused(
      `The database "${address.database}" at ${nameOf(address)} has the encoding ${encoding}, not UTF8.`,
      'Name a database with the encoding UTF8 in the URL.',
    )
  if (facts.isSuperuser) return
  const lacking = [
    ...(facts.createsRoles ? [] : ['CREATEROLE']),
    ...(facts.createsDatabases ? [] : ['CREATEDB']),
  ]
  if (lacking.length > 0)
    throw refused(
      `The account "${account}" of ${nameOf(address)} lacks ${lacking.join(' and ')}, which Tenantry needs for its projects.`,
      `Run as a superuser: alter role ${pg.escapeIdentifier(account)} ${lacking.join(' ').toLowerCase()}`,
    )
}

function serverFacts(facts: AccountFacts, systemIdentifier: string | undefined): ServerFacts {
  const { majorVersion, version, isSuperuser, accountLimit, serverLimit } = facts
  const bypassesRls = isSuperuser || facts.bypassesRls
  return {
    majorVersion,
    version,
    systemIdentifier,
    isSuperuser,
    bypassesRls,
    connectionLimit:
      accountLimit < 0 || isSuperuser ? serverLimit : Math.min(accountLimit, serverLimit),
    missing: missingCapabilities(isSuperuser, bypassesRls),
  }
}

function missingCapabilities(
  isSuperuser: boolean,
  bypassesRls: boolean,
): readonly MissingCapability[] {
  const missing: MissingCapability[] = []
  if (!bypassesRls)
    missing.push({
      capability: 'bypassrls',
      consequence:
        'The account cannot give BYPASSRLS to service_role, which therefore obeys row-level security.',
    })
  if (!isSuperuser)
    missing.push(
      {
        capability: 'event triggers',
        consequence:
          'Only a superuser creates event triggers, so new tables get no policy for service_role. Changes of structure by psql or by a function that SELECT calls are not announced.',
      },
      {
        capability: 'untrusted extensions',
        consequence: 'The account creates only extensions that the server marks as trusted.',
      },
      {
        capability: 'rights on built-in objects',
        consequence:
          'Projects can read the settings of other projects’ roles, and their names in pg_stat_activity.',
      },
    )
  return missing
}

function refused(message: string, hint: string): ServerError {
  return new ServerError('server_refused', message, { hint })
}

function unreachable(address: ServerAddress, cause: unknown): ServerError {
  const reason = reasonOf(cause)
  return new ServerError(
    'server_unreachable',
    `The database server at ${nameOf(address)} did not accept a connection as "${address.user}" to "${address.database}": ${reason}.`,
    { hint: 'Check that the server runs, and the parts of --database-url.', cause },
  )
}

// Node reports a failure on all of a host's addresses as an AggregateError without a message.
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join('; ')
  return cause instanceof Error ? cause.message.replace(/\.$/, '') : String(cause)
}
