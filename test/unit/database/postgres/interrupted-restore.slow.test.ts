// A process can be killed at any moment of a restore. The next process finds all projects either in the old or in the new state.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBackground } from '../../../../emulator/core/background.ts'
import { SystemClock } from '../../../../emulator/core/clock.ts'
import { SystemIdSource } from '../../../../emulator/core/id-source.ts'
import { trusted } from '../../../../emulator/core/names.ts'
import { SqlError } from '../../../../emulator/database/engine.ts'
import { PostgresEngine } from '../../../../emulator/database/postgres/postgres-engine.ts'
import type { RunningServer } from '../../../../emulator/database/postgres/server/running-server.ts'
import { serverRestoreMark } from '../../../../emulator/database/postgres/states/restore-plan.ts'
import {
  openServerStates,
  type ServerStates,
} from '../../../../emulator/database/postgres/states/server-states.ts'
import { noNativeServer, serverFolder, startTestServer } from '../../../support/native-server.ts'
import { createTestTenant, lastCell, runAsOwner } from '../../../support/test-engine.ts'
import { until } from '../../../support/until.ts'

const PROJECTS = ['proj_one', 'proj_two'].map((name) => trusted.schemaName(name))
const STEPS = 40

const FOREVER = new Promise<never>(() => {})

describe.skipIf(noNativeServer !== undefined)('an interrupted restore', () => {
  const folder = serverFolder()
  const statesFolder = join(folder.path, 'states')
  const mark = serverRestoreMark(statesFolder)
  let server: RunningServer

  const openEngine = () =>
    new PostgresEngine({
      server,
      wallClock: new SystemClock(),
      preciseNow: () => performance.now(),
      ids: new SystemIdSource(),
    })

  // Platform work stops permanently at the step with this number, as if the process had been killed before or after this step.
  // `lost` loses only the step's answer, as when the server dies after the step.
  const openStates = (
    engine: PostgresEngine,
    stop: { step: number; isAfter: boolean; lost?: boolean } = {
      step: Number.POSITIVE_INFINITY,
      isAfter: false,
    },
  ) => {
    const { room } = engine
    let next: number | undefined
    const states = openServerStates({
      room: {
        ...room,
        admin: async (...work) => {
          const step = next ?? -1
          if (next !== undefined) next += 1
          if (stop.lost === true) {
            const results = await room.admin(...work)
            if (step === stop.step) throw new SqlError('57P02', 'the server closed it')
            return results
          }
          if (step > stop.step || (step === stop.step && !stop.isAfter)) return await FOREVER
          const results = await room.admin(...work)
          return step === stop.step ? await FOREVER : results
        },
      },
      folder: statesFolder,
      renew: () => engine.prepare(),
      untilBack: async () => {},
      engineWith: openEngine,
      background: createBackground('keep copies', () => {}),
    })
    return {
      states,
      countSteps: () => {
        next = 0
      },
      isStopped: () => next !== undefined && next > stop.step,
    }
  }

  const counts = async (engine: PostgresEngine) =>
    Promise.all(
      PROJECTS.map(async (name) =>
        lastCell(await runAsOwner(engine, name, 'select count(*) from notes')),
      ),
    )

  const write = async (engine: PostgresEngine, states: ServerStates): Promise<void> => {
    for (const name of PROJECTS) {
      const end = states.beginWrite(name)
      await runAsOwner(engine, name, 'insert into notes default values')
      end()
    }
  }

  beforeAll(async () => {
    server = await startTestServer(folder.path)
    const engine = openEngine()
    await engine.prepare()
    for (const name of PROJECTS) await createTestTenant(engine, name)
    await engine.close()
  }, 60_000)

  afterAll(async () => {
    await server.close()
    folder.remove()
  })

  it.each([
    ['before', false],
    ['after', true],
  ])(
    'is undone or completed by the next start when the process is killed %s any step',
    async (_, isAfter) => {
      const outcomes: string[] = []
      for (let step = 0; step < STEPS && outcomes.at(-1) !== 'restored'; step += 1) {
        const engine = openEngine()
        const opening = openStates(engine, { step, isAfter })
        const states = await opening.states
        await states.setBaseline()
        await write(engine, states)
        const before = await counts(engine)
        // Ends background work, so that the test counts only steps of the restore.
        await states.close()
        opening.countSteps()
        mark.clear()
        const restored = states.restoreBaseline().then(() => 'restored')
        const outcome = await Promise.race([
          restored,
          until(opening.isStopped).then(() => 'killed'),
        ])
        const next = openEngine()
        const later = await openStates(next).states
        const now = await counts(next)
        expect(new Set(now).size).toBe(1)
        expect(mark.isSet()).toBe(now[0] !== before[0])
        outcomes.push(outcome === 'restored' ? outcome : mark.isSet() ? 'completed' : 'undone')
        await later.close()
        await next.close()
        await engine.close()
      }
      expect(new Set(outcomes)).toEqual(new Set(['undone', 'completed', 'restored']))
    },
    120_000,
  )

  it('is undone or completed, and leaves every project open, when the response to any step is lost', async () => {
    let isRestored = false
    for (let step = 0; step < STEPS && !isRestored; step += 1) {
      const engine = openEngine()
      const opening = openStates(engine, { step, isAfter: true, lost: true })
      const states = await opening.states
      await states.setBaseline()
      await write(engine, states)
      const before = await counts(engine)
      await states.close()
      opening.countSteps()
      const outcome = await states.restoreBaseline().then(
        () => 'restored',
        () => 'refused',
      )
      isRestored = !opening.isStopped()
      const now = await counts(engine)
      expect(new Set(now).size).toBe(1)
      expect(now[0] === before[0]).toBe(outcome === 'refused')
      await engine.close()
    }
    expect(isRestored).toBe(true)
  }, 120_000)
})
