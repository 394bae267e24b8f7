// An emulator that a recording is replayed against, reached by its API.
import type { Answer, CallArguments, JsonOperationName } from '../../../contract/operations.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { parseInstant } from '../../../core/time.ts'
import type { HttpClient } from '../../../platform/http-client/http-client.ts'
import { addressesOf } from '../../../server/hosts.ts'
import { basesIn } from '../planes.ts'
import type { ReplayPlatform } from './platform.ts'

/** Calls of the emulator's own API. A refusal is an `EmulatorError` with the code `refused`. */
export interface EmulatorCalls {
  call<Name extends JsonOperationName>(
    name: Name,
    ...args: CallArguments<Name>
  ): Promise<Answer<Name>>
}

/** @throws {EmulatorError} when no emulator answers */
export async function platformAt(
  url: string,
  emulator: EmulatorCalls,
  http: HttpClient,
): Promise<ReplayPlatform> {
  const { frozen, now, offset_ms: offset } = await emulator.call('GET /clock')
  const frozenAt = frozen ? parseInstant(now) : undefined
  return {
    http,
    bases: basesIn(addressesOf(new URL(url).origin)),
    dataFrom: await oldestProject(emulator),
    now: () => frozenAt ?? http.wallClock.now() + offset,
    reach: () => Promise.resolve(),
    info: () => emulator.call('GET /info'),
    messages: async () => (await emulator.call('GET /mailbox')).messages,
    mint: async (body) => {
      try {
        return (await emulator.call('POST /tokens/mint', { body })).token
      } catch (error) {
        if (error instanceof EmulatorError && error.code === 'refused') return undefined
        throw error
      }
    },
  }
}

// The creation time of the oldest project comes before all data of a fixture.
async function oldestProject(emulator: EmulatorCalls): Promise<number> {
  const { groups } = await emulator.call('GET /overview')
  const created = groups.flatMap(({ tenants }) =>
    tenants.flatMap(({ created_at }) => parseInstant(created_at) ?? []),
  )
  return Math.min(...created)
}
