// The running emulator that `tenantry compare` replays against, reached by its API.
import { SystemClock } from '../../core/clock.ts'
import { parseInstant } from '../../core/time.ts'
import { addressesOf } from '../../server/hosts.ts'
import { basesIn } from '../../traffic/planes.ts'
import type { ReplayPlatform } from '../../traffic/replay/platform.ts'
import { type RunningEmulator, RunningEmulatorError } from '../running-emulator.ts'

/** @throws {RunningEmulatorError} when no emulator answers */
export async function platformAt(url: string, emulator: RunningEmulator): Promise<ReplayPlatform> {
  const wallClock = new SystemClock()
  const { frozen, now, offset_ms: offset } = await emulator.call('GET /clock')
  const frozenAt = frozen ? parseInstant(now) : undefined
  return {
    bases: basesIn(addressesOf(new URL(url).origin)),
    dataFrom: await oldestProject(emulator),
    now: () => frozenAt ?? wallClock.now() + offset,
    reach: () => Promise.resolve(),
    info: () => emulator.call('GET /info'),
    messages: async () => (await emulator.call('GET /mailbox')).messages,
    mint: async (body) => {
      try {
        return (await emulator.call('POST /tokens/mint', { body })).token
      } catch (error) {
        if (error instanceof RunningEmulatorError && error.code === 'refused') return undefined
        throw error
      }
    },
  }
}

// The data of a fixture is younger than the first project.
async function oldestProject(emulator: RunningEmulator): Promise<number> {
  const { groups } = await emulator.call('GET /overview')
  const created = groups.flatMap(({ tenants }) =>
    tenants.flatMap(({ created_at }) => parseInstant(created_at) ?? []),
  )
  return Math.min(...created)
}
