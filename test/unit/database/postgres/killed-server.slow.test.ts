// A server can be killed at any moment of a restore. Tenantry starts it again and completes the restore, or refuses it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { trusted } from '../../../../emulator/core/names.ts'
import { serverRestoreMark } from '../../../../emulator/database/postgres/states/restore-plan.ts'
import { type EngineWithStates, openEngineWithStates } from '../../../support/engine-with-states.ts'
import { noNativeServer, serverFolder } from '../../../support/native-server.ts'
import { createTestTenant, lastCell, runAsOwner } from '../../../support/test-engine.ts'
import { untilAsync } from '../../../support/until.ts'

const PROJECTS = ['proj_one', 'proj_two'].map((name) => trusted.schemaName(name))
/** Milliseconds from the beginning of a restore until the server is killed. A restore takes about 20 ms. */
const MOMENTS = [0, 5, 10, 15, 20]

describe.skipIf(noNativeServer !== undefined)('a restore', () => {
  const folder = serverFolder()
  const mark = serverRestoreMark(join(folder.path, 'states'))
  let opened: EngineWithStates

  const count = async (project: (typeof PROJECTS)[number]) =>
    Number(lastCell(await runAsOwner(opened.engine, project, 'select count(*) from notes')))
  const write = async () => {
    for (const project of PROJECTS)
      await runAsOwner(opened.engine, project, 'insert into notes default values')
  }
  const kill = () => {
    const file = join(folder.path, 'postgres-server', 'cluster', 'postmaster.pid')
    process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 'SIGKILL')
  }

  beforeAll(async () => {
    opened = await openEngineWithStates(folder.path)
    for (const project of PROJECTS) await createTestTenant(opened.engine, project)
    await opened.engine.setBaseline()
  })

  afterAll(async () => {
    await opened.close()
    folder.remove()
  })

  it.each(MOMENTS)(
    'is complete or refused when the server is killed after %i ms',
    async (moment) => {
      await write()
      const before = await count(PROJECTS[0] ?? trusted.schemaName(''))
      mark.clear()
      const restoring = opened.engine.restoreBaseline().then(
        () => 'restored',
        () => 'refused',
      )
      await new Promise((resolve) => {
        setTimeout(resolve, moment)
      })
      kill()
      const outcome = await restoring
      await untilAsync(async () => {
        const works = await Promise.allSettled(PROJECTS.map(count))
        return works.every(({ status }) => status === 'fulfilled')
      }, 30_000)
      expect(await Promise.all(PROJECTS.map(count))).toEqual(
        outcome === 'restored' ? [2, 2] : [before, before],
      )
      expect(mark.isSet()).toBe(outcome === 'restored')
    },
    60_000,
  )
})
