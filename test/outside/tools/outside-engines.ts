// An emulator on each engine for the suite of outside tools, which gives every tool a tenant of its own.
import pg from 'pg'
import type { EngineName } from '../../../scripts/outside-table.ts'
import { noNativeServer } from '../../support/native-server.ts'
import type { S3Credentials } from '../../support/s3-client.ts'
import { startSharedServer } from '../../support/shared-server.ts'
import { createGroup, provisionTenant, startTestEmulator } from '../../support/test-emulator.ts'

export interface OutsideEngine extends AsyncDisposable {
  readonly name: EngineName
  freshTenant(slug: string): Promise<OutsideTenant>
}

export interface OutsideTenant {
  readonly url: string
  readonly schema: string
  readonly s3: S3Credentials
  query(sql: string): Promise<readonly Record<string, unknown>[]>
}

const SQL = 'create table people (id serial primary key, name text not null)'

export const startEmbedded = (): Promise<OutsideEngine> => start('embedded')

/** Starts an emulator on a native server. Returns a message instead when this machine has no server. */
export async function startServer(): Promise<OutsideEngine | string> {
  if (noNativeServer !== undefined) return `The server engine is skipped: ${noNativeServer}`
  const server = await startSharedServer()
  return start('server', server)
}

async function start(
  name: EngineName,
  server?: { readonly url: string; stop(): Promise<void> },
): Promise<OutsideEngine> {
  const at = await startTestEmulator(
    server === undefined ? {} : { engine: 'postgres', databaseUrl: server.url },
  )
  if (server === undefined) await at.emulator.listenPostgres({ port: 0, host: '127.0.0.1' })
  const group = await createGroup(at, 'vendor', { sql: SQL })
  return {
    name,
    freshTenant: async (slug) => {
      const { schemaName } = await provisionTenant(at, group, slug)
      const { groups } = await at.emulator.ready(at.url)
      const found = groups.flatMap(({ tenants }) => tenants).find((each) => each.slug === slug)
      const url = found?.postgres_url ?? undefined
      if (url === undefined) throw new Error(`no Postgres address for ${slug}`)
      const keys = await at.call('POST', `/_emulator/v1/projects/${slug}/s3-keys`)
      return { url, schema: schemaName, s3: keys.body, query: (sql) => rowsOf(url, sql) }
    },
    [Symbol.asyncDispose]: async () => {
      await at[Symbol.asyncDispose]()
      await server?.stop()
    },
  }
}

async function rowsOf(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}
