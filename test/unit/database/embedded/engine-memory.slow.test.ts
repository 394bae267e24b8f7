// A statement that allocates endlessly fails, and the process keeps none of its memory.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../../emulator/database/engine.ts'
import { sql } from '../../../../emulator/database/sql.ts'
import { temporaryFolder } from '../../../support/cli-process.ts'
import { patiently } from '../../../support/patience.ts'
import {
  createTestTenant,
  lastCell,
  openEmbeddedEngine,
  runAsOwner,
  runAsRole,
} from '../../../support/test-engine.ts'

const TENANT = 'proj_hungry'
const MEGABYTE = 1 << 20

const folder = temporaryFolder()
let engine: Engine
beforeAll(async () => {
  engine = (await openEmbeddedEngine({ dataDir: folder.path })).engine
  await createTestTenant(engine, TENANT)
})
afterAll(async () => {
  await engine.close()
  folder.remove()
})

const allocate = (count: number) =>
  runAsRole(engine, TENANT, 'anon', [sql`select array_fill(1, array[${count}::integer])`], {
    timeoutMillis: patiently(8_000),
  })
const notes = async () => lastCell(await runAsOwner(engine, TENANT, 'select count(*) from notes'))

describe('a runaway allocation', () => {
  it('fails with 53200 beyond the engine’s limit, and the engine keeps running', async () => {
    const { restarts } = engine.stats()
    await expect(allocate(200_000_000)).rejects.toMatchObject({ code: '53200' })
    expect(await notes()).toBe('2')
    expect(engine.stats().restarts).toBe(restarts)
  })

  it('does not leak memory when it repeatedly fills the engine’s memory', async () => {
    const before = process.memoryUsage().rss
    for (let round = 1; round <= 6; round++) {
      await expect(allocate(120_000_000)).rejects.toMatchObject({ code: '53200' })
      expect(await notes()).toBe('2')
      expect(engine.stats().restarts).toBe(round)
    }
    // One of the six dead engines alone had 460 MB.
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * MEGABYTE)
  })

  it('fails at the limit that the engine was opened with', async () => {
    const { engine: small } = await openEmbeddedEngine({ memoryBytes: 256 * MEGABYTE })
    await createTestTenant(small, TENANT)
    const work = runAsRole(small, TENANT, 'anon', [sql`select repeat('x', 150000000)`])
    await expect(work).rejects.toMatchObject({ code: '53200' })
    await small.close()
  })
})
