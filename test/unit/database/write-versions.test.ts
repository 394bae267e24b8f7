import { describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import type { Engine, TenantWork } from '../../../emulator/database/engine.ts'
import { readScript, script, sql } from '../../../emulator/database/sql.ts'
import { countWrites } from '../../../emulator/database/write-versions.ts'

const x = trusted.schemaName('proj_x')
const y = trusted.schemaName('proj_y')

/** An engine whose work ends when the test says so. */
function openWorld() {
  const ends: (() => void)[] = []
  const wait = (): Promise<never> =>
    new Promise((resolve) => {
      ends.push(() => resolve([] as never))
    })
  // Only these two methods are called.
  const writes = countWrites({ run: wait, admin: wait } as unknown as Engine)
  const finish = async (work: Promise<unknown>): Promise<void> => {
    for (const end of ends.splice(0)) end()
    await work
  }
  const run = (schemaName: typeof x, mode: TenantWork['mode']) =>
    writes.engine.run({
      actor: { schemaName, role: 'anon' },
      settings: {},
      mode,
      statements: [],
      end: 'commit',
      timeoutMillis: 1,
    })
  return { writes, finish, run }
}

describe('the version of a schema', () => {
  it('changes with each write to it, and with no other work', async () => {
    const { writes, finish, run } = openWorld()
    const [before, beforeOfY] = [writes.of(x), writes.of(y)]
    await finish(run(x, 'readOnly'))
    await finish(writes.engine.admin('cluster', readScript([sql`select 1`])))
    expect(writes.of(x)).toBe(before)
    await finish(run(x, 'readWrite'))
    expect(writes.of(x)).not.toBe(before)
    expect(writes.of(y)).toBe(beforeOfY)
  })

  it('changes with platform work that can write, and with a restore', async () => {
    const { writes, finish } = openWorld()
    const versions = new Set([writes.of(x)])
    await finish(writes.engine.admin('cluster', script([sql`select 1`])))
    versions.add(writes.of(x))
    writes.renew()
    versions.add(writes.of(x))
    expect(versions.size).toBe(3)
  })

  it('is unknown while a write runs', async () => {
    const { writes, finish, run } = openWorld()
    const work = run(x, 'readWrite')
    expect([writes.of(x), writes.of(y)]).toEqual([undefined, expect.any(String)])
    await finish(work)
    expect(writes.of(x)).toEqual(expect.any(String))
  })
})
