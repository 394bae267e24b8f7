// Removes databases and logins that an engine or emulator of a test left on the shared server.
import pg from 'pg'

/** Drops every database and login whose name begins with `prefix`, and ends their sessions. */
export async function dropDatabases(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      'select quote_ident(datname) as name from pg_database where starts_with(datname, $1)',
      [prefix],
    )
    for (const { name } of rows) await client.query(`drop database ${name} with (force)`)
    const roles = await client.query<{ name: string }>(
      'select quote_ident(rolname) as name from pg_roles where starts_with(rolname, $1)',
      [prefix],
    )
    if (roles.rows.length > 0)
      await client.query(`drop role ${roles.rows.map(({ name }) => name).join(', ')}`)
  } finally {
    await client.end()
  }
}
