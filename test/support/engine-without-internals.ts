// Runs as a separate process with forbid-internals.ts preloaded. Opens an engine in the folder of the first argument, uses it,
// and prints the result as one line of JSON.
import { trusted } from '../../emulator/core/names.ts'
import type { PostgresSession } from '../../emulator/core/postgres-session.ts'
import { SqlError, type WorkResult } from '../../emulator/database/engine.ts'
import { sql } from '../../emulator/database/sql.ts'
import { FrontendMessages } from '../../emulator/database/wire-protocol/frontend-messages.ts'
import { createTestTenant, lastCell, openEmbeddedEngine, runAsRole } from './test-engine.ts'

const TENANT = 'proj_plain'
const dataDir = process.argv[2]
const { engine } = await openEmbeddedEngine({ dataDir })
await createTestTenant(engine, TENANT)

const asAnon = (text: ReturnType<typeof sql>, timeoutMillis = 8_000): Promise<WorkResult> =>
  runAsRole(engine, TENANT, 'anon', [text], { timeoutMillis })
const count = async (): Promise<string | undefined> =>
  lastCell(await asAnon(sql`select count(*) from notes`))

const before = await count()
const copied = await copy()
const together = await Promise.all(Array.from({ length: 16 }, count))
const { degraded } = engine.stats()
const overDeadline = await asAnon(sql`select pg_sleep(30)`, 50).catch((error: unknown) =>
  error instanceof SqlError ? error.code : String(error),
)
const after = await count()
const { restarts } = engine.stats()
await engine.close()
const report = { before, copied, together, degraded, overDeadline, after, restarts }
process.stdout.write(`${JSON.stringify(report)}\n`)

/** Sends COPY data in two pieces while the statement waits for them. */
async function copy(): Promise<string | undefined> {
  const session = await connect()
  const running = session.run(
    new FrontendMessages().query('copy notes (body) from stdin').bytes(),
    () => undefined,
  )
  await session.feed(Buffer.from('d\0\0\0\x09copy\n', 'latin1'))
  await session.feed(Buffer.from('d\0\0\0\x09more\nc\0\0\0\x04', 'latin1'))
  const { commandTag } = await running
  await session.close()
  return commandTag
}

function connect(): Promise<PostgresSession> {
  return engine.connect({
    schemaName: trusted.schemaName(TENANT),
    role: trusted.roleName(`${TENANT}_owner`),
    settings: { search_path: TENANT },
    events: { onExpired: () => {}, onStarved: () => {}, onWaits: () => {} },
  })
}
