// Where `tenantry migrate` finds its group: in the running emulator, or on the hosted platform.
import { EmulatorError } from '../../core/errors.ts'
import type { Fleet } from '../../migrations/apply/fleet.ts'
import { createRemoteApi } from '../../migrations/apply/remote-api.ts'
import { createRemoteFleet } from '../../migrations/apply/remote-fleet.ts'
import type { RunningEmulator } from '../running-emulator.ts'

class TargetError extends EmulatorError {
  override readonly code = 'no_group'
}

/** Returns the given group, or the name of the only group. @throws {EmulatorError} */
export async function groupOf(
  emulator: RunningEmulator,
  given: string | undefined,
): Promise<string> {
  if (given !== undefined) return given
  const { groups } = await emulator.call('GET /info')
  const [only, ...others] = groups.map(({ name }) => name)
  if (only !== undefined && others.length === 0) return only
  throw new TargetError(
    only === undefined ? 'The emulator has no group.' : 'The emulator has several groups.',
    {
      hint: `Name one with --group${only === undefined ? '' : `: ${[only, ...others].join(', ')}`}.`,
    },
  )
}

/** Opens a group of the hosted platform, with the keys of the environment. @throws {EmulatorError} */
export function remoteFleetOf(url: string, group: string | undefined): Fleet {
  if (group === undefined)
    throw new TargetError('--remote needs the id of a group.', {
      hint: 'Name it with --group grp_….',
    })
  const {
    TENANTRY_REMOTE_GROUP_API_KEY: groupKey,
    TENANTRY_REMOTE_MANAGEMENT_KEY: managementKey,
    TENANTRY_REMOTE_SESSION_TOKEN: sessionToken,
  } = process.env
  return createRemoteFleet(createRemoteApi(url), group, { groupKey, managementKey, sessionToken })
}
