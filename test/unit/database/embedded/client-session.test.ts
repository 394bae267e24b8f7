// A client's session on the engine, tested with single protocol messages (PostgreSQL documentation, "Message Flow").
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import type { PostgresSession } from '../../../../emulator/core/postgres-session.ts'
import type { Engine } from '../../../../emulator/database/engine.ts'
import { sql } from '../../../../emulator/database/sql.ts'
import { FrontendMessages } from '../../../../emulator/database/wire-protocol/frontend-messages.ts'
import { createTestTenant, openTestEngine, runAsRole } from '../../../support/test-engine.ts'

const TENANT = 'proj_wired'
let engine: Engine
let session: PostgresSession

beforeAll(async () => {
  engine = (await openTestEngine()).engine
  await createTestTenant(engine, TENANT)
  session = await open()
})
afterAll(async () => {
  await session.close()
  await engine.close()
})

const open = () =>
  engine.connect({
    schemaName: trusted.schemaName(TENANT),
    role: trusted.roleName(`${TENANT}_owner`),
    settings: { search_path: TENANT },
    events: { onExpired: () => {}, onStarved: () => {}, onWaits: () => {} },
  })

/** Sends messages. Returns the kinds of the received messages. */
async function run(messages: FrontendMessages, by = session) {
  const pieces: Uint8Array[] = []
  const end = await by.run(messages.bytes(), (bytes) => {
    pieces.push(bytes)
    return undefined
  })
  const bytes = Buffer.concat(pieces)
  let kinds = ''
  for (let at = 0; at < bytes.length; at += 1 + bytes.readUInt32BE(at + 1))
    kinds += String.fromCharCode(bytes[at] ?? 0)
  return { kinds, state: end.state, tag: end.commandTag, error: end.error?.code }
}

const messages = () => new FrontendMessages()
const MEGABYTE = 1 << 20
const interleave = () => runAsRole(engine, TENANT, 'anon', [sql`select 1`])

describe('a client session', () => {
  it('keeps the unnamed statement between turns while other sessions work', async () => {
    expect(await run(messages().parse('', 'select $1::int').sync())).toMatchObject({ kinds: '1Z' })
    await interleave()
    expect(await run(messages().bind('', ['7']).describePortal().execute().sync())).toMatchObject({
      kinds: '2TDCZ',
      state: 'idle',
    })
  })

  it('blocks other work between a Flush and the next Sync', async () => {
    const { kinds, state } = await run(messages().statement('insert into notes (body) values (1)'))
    expect([kinds, state]).toEqual(['12nC', 'pipeline'])
    const other = interleave()
    expect(await run(messages().statement('select 1').sync())).toMatchObject({
      kinds: '12TDCZ',
      state: 'idle',
    })
    await other
  })

  it('applies statement_timeout to each Execute of a pipeline separately', async () => {
    const nap = () => messages().parse('', 'select pg_sleep(0.3)').bind('', []).execute()
    await run(messages().query("set statement_timeout = '500ms'"))
    const pipeline = nap().append(nap().bytes()).append(nap().bytes())
    expect(await run(pipeline.sync())).toMatchObject({ kinds: '12DC12DC12DCZ' })
  })

  it('counts the statement_timeout from the first message to the end of its Execute', async () => {
    const endless = messages().parse('', 'select pg_sleep(30)').bind('', []).execute()
    expect(await run(endless.sync())).toMatchObject({ kinds: '12EZ', error: '57014' })
    await run(messages().query('reset statement_timeout'))
  })

  it('skips messages up to the Sync after an error, and rolls back the earlier statements', async () => {
    const answer = await run(
      messages()
        .statement('delete from notes')
        .statement('select 1/0')
        .statement('select 2')
        .sync(),
    )
    expect(answer).toMatchObject({ kinds: '12nC1EZ', error: '22012', state: 'idle' })
    expect(await run(messages().query('select 1 from notes limit 1'))).toMatchObject({
      tag: 'SELECT 1',
    })
  })

  it('forgets a statement that was closed, and accepts its name for a new statement', async () => {
    await run(messages().parse('s', 'select 1').sync())
    await run(messages().closeStatement('s').sync())
    await interleave()
    expect(await run(messages().bind('s', []).execute().sync())).toMatchObject({ error: '26000' })
    expect(
      await run(messages().parse('s', 'select 2').bind('s', []).execute().sync()),
    ).toMatchObject({ kinds: '12DCZ' })
  })

  it('does not remember a statement that could not be parsed', async () => {
    expect(await run(messages().parse('broken', 'selekt').sync())).toMatchObject({ error: '42601' })
    await interleave()
    expect(await run(messages().bind('broken', []).sync())).toMatchObject({ error: '26000' })
  })

  it('reads COPY data that arrives while the statement waits', async () => {
    const running = run(messages().query('copy notes (body) from stdin'))
    const line = Buffer.from('d\0\0\0\x09copy\n', 'latin1')
    await session.feed(line)
    await session.feed(Buffer.from('c\0\0\0\x04', 'latin1'))
    expect(await running).toMatchObject({ kinds: 'GCZ', tag: 'COPY 1' })
  })

  it('pauses a long response until its client has read the sent part', async () => {
    let written = 0
    let writtenBeforeRead = 0
    const reading = new Promise<void>((resolve) => {
      setTimeout(() => {
        writtenBeforeRead = written
        resolve()
      }, 300)
    })
    const text = "select repeat('x', 99_999) from generate_series(1, 400)"
    const end = await session.run(messages().query(text).bytes(), ({ length }) => {
      written += length
      return reading
    })
    expect(end.commandTag).toBe('SELECT 400')
    expect(writtenBeforeRead).toBeGreaterThan(MEGABYTE)
    expect(writtenBeforeRead).toBeLessThan(6 * MEGABYTE)
    expect(written).toBeGreaterThan(400 * 99_999)
  })

  it('can be cancelled while its client does not read', async () => {
    const unread = new Promise<void>(() => {})
    let written = 0
    const text = "select repeat('x', 99_999) from generate_series(1, 4000)"
    const end = session.run(messages().query(text).bytes(), ({ length }) => {
      written += length
      if (written > 4 * MEGABYTE) session.cancel()
      return unread
    })
    expect(await end).toMatchObject({ error: { code: '57014' }, state: 'idle' })
    expect(written).toBeLessThan(30 * MEGABYTE)
  })

  it('ends a COPY that is cancelled while it waits for data', async () => {
    const running = run(messages().query('copy notes (body) from stdin'))
    setTimeout(() => session.cancel(), 100)
    expect(await running).toMatchObject({ kinds: 'GEZ', error: '57014', state: 'idle' })
  })

  it('runs the transactions of two clients one after the other', async () => {
    const other = await open()
    await run(messages().query('begin'))
    const begun = run(messages().query('begin'), other)
    await run(messages().query('commit'))
    expect(await begun).toMatchObject({ state: 'transaction' })
    await other.close()
    await interleave()
  })

  it('is refused for a role of another project', async () => {
    const asked = engine.connect({
      schemaName: trusted.schemaName(TENANT),
      role: trusted.roleName('postgres'),
      settings: {},
      events: { onExpired: () => {}, onStarved: () => {}, onWaits: () => {} },
    })
    await expect(asked).rejects.toMatchObject({ code: '42501' })
  })
})
