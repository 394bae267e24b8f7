// Drops the databases and logins that an emulator without a data directory created on a given server. No later start would find
// them.
import pg from 'pg'
import type { RunningServer } from './running-server.ts'

const DATABASES = `select datname as name from pg_catalog.pg_database where pg_catalog.starts_with(datname, $1)`
const LOGINS = `select rolname as name from pg_catalog.pg_roles where pg_catalog.starts_with(rolname, $1)`

/**
 * Drops all databases and logins whose names begin with the server's prefix. Call this function when no engine uses them.
 * @throws {Error} when the server refuses
 */
export async function forgetDatabases({
  address,
  prefix,
}: Pick<RunningServer, 'address' | 'prefix'>): Promise<void> {
  // An empty prefix would match every database and login of the server.
  if (prefix === '') return
  const client = new pg.Client({ ...address })
  await client.connect()
  try {
    for (const name of await names(client, DATABASES, prefix))
      await client.query(`drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
    for (const name of await names(client, LOGINS, prefix))
      await client.query(`drop role if exists ${pg.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

async function names(client: pg.Client, query: string, prefix: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(query, [prefix])
  return rows.map(({ name }) => name)
}
