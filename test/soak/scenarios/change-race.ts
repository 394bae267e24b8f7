// Fifty writers change rows while a hundred subscribers of twenty identities listen. The race is ten times as large as in the
// wire tests.
import { RACE_SQL, raceFaults, runRace } from '../../support/change-race.ts'
import { startRowWorld } from '../../support/row-world.ts'
import { onServer, requireThat, type Scenario } from '../scenario.ts'

const SIZE = { writers: 50, subscribers: 100, identities: 20, changes: 10_000 } as const

export const changeRace: Scenario = {
  name: 'change-race',
  title: '50 writers change 10,000 rows under 100 subscribers',
  run: async () => {
    await using world = await startRowWorld(RACE_SQL, onServer() ? { engine: 'postgres' } : {})
    const outcome = await runRace(world, SIZE)
    for (const [what, faults] of Object.entries(raceFaults(outcome)))
      requireThat(faults.length === 0, `${what}: ${faults.slice(0, 5).join('; ')}`)
    const seconds = (outcome.writingMillis / 1_000).toFixed(0)
    const trailing = outcome.trailingMillis.toFixed(0)
    return { figures: `written in ${seconds} s, the last one told ${trailing} ms later` }
  },
}
