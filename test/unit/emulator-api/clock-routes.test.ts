import { expect, it } from 'vitest'
import { clockState } from '../../../emulator/api/emulator-api/clock-routes.ts'
import { ManualClock } from '../../../emulator/core/clock.ts'
import { PlatformClock } from '../../../emulator/core/platform-clock.ts'
import { epochMillis } from '../../../emulator/core/time.ts'

it.each([
  { kind: 'embedded', movesSqlTime: true },
  { kind: 'postgres', movesSqlTime: false },
] as const)('the clock API states whether SQL’s time follows the clock: $kind', (facts) => {
  const wallClock = new ManualClock(epochMillis(0))
  const clock = new PlatformClock(wallClock)
  clock.advance(1_000)
  expect(clockState({ clock, wallClock, engine: { facts } })).toEqual({
    now: '1970-01-01T00:00:01.000Z',
    frozen: false,
    offset_ms: 1_000,
    moves_sql_time: facts.movesSqlTime,
  })
})
