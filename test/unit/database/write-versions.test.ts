import { describe, expect, it } from 'vitest'
import { trusted } from '../../../emulator/core/names.ts'
import type { Engine, TenantWork } from '../../../emulator/database/engine.ts'
import type { EngineProjects, RunPart } from '../../../emulator/database/engine-projects.ts'
import { readScript, script, sql } from '../../../emulator/database/sql.ts'
import { countWrites } from '../../../emulator/database/write-versions.ts'
import { until } from '../../support/until.ts'

const x = trusted.schemaName('proj_x')
const y = trusted.schemaName('proj_y')

/** Opens an engine whose work ends only when the test ends it. */
function openWorld() {
  const ends: (() => void)[] = []
  const wait = (): Promise<never> =>
    new Promise((resolve) => {
      ends.push(() => resolve([] as never))
    })
  const create: EngineProjects['create'] = async (_name, _also, runPart = (part) => part()) => {
    for (let part = 0; part < 2; part += 1) await runPart(wait)
  }
  // Only these methods are called.
  const writes = countWrites({ run: wait, admin: wait, projects: { create } } as unknown as Engine)
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
  it('changes with each write to the schema, and with no other work', async () => {
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

  it('is known between the parts of longer work, and the versions of other schemas do not change', async () => {
    const { writes, finish } = openWorld()
    const told: unknown[] = []
    writes.onWrite((schemaName) => told.push(schemaName))
    const beforeOfY = writes.of(y)
    const waiting: (() => void)[] = []
    const runPart: RunPart = async (part) => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
      })
      return await part()
    }
    const work = writes.engine.projects.create(x, [], runPart)
    const versions = new Set([writes.of(x)])
    for (let part = 1; part <= 2; part += 1) {
      waiting.shift()?.()
      await Promise.resolve()
      expect([writes.of(x), writes.of(y)]).toEqual([undefined, beforeOfY])
      await finish(part === 2 ? work : until(() => told.length === part))
      versions.add(writes.of(x))
    }
    expect([versions.size, versions.has(undefined), told]).toEqual([3, false, [x, x]])
  })
})
