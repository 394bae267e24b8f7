// Finds the group that `tenantry migrate` works on, in the running emulator or on the hosted platform.
import { EmulatorError } from '../../../core/errors.ts'
import type { RunningEmulator } from '../../../platform/http-client/running-emulator.ts'
import type { Fleet } from '../../../workflow/migrations/apply/fleet.ts'
import { readingOnly } from '../../../workflow/migrations/pull/owner-sql.ts'
import { createPlatformClient } from '../../../workflow/migrations/remote/platform-client.ts'
import {
  createRemoteFleet,
  type RemoteFleetOptions,
} from '../../../workflow/migrations/remote/remote-fleet.ts'
import { readRemoteKeys } from '../../../workflow/migrations/remote/remote-keys.ts'
import { answerClient, type RunningOptions } from '../../running-options.ts'

/** The options that `status`, `apply` and `rehearse` share. */
export interface MigrateOptions extends RunningOptions {
  readonly dir: string
  readonly group: string | undefined
  readonly remote: string | undefined
}

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
  return openRemote(url, group, {})
}

/** Like `remoteFleetOf`, for commands that must not change the hosted platform: SQL cannot write, and no keys are created. */
export function readingFleetOf(url: string, group: string | undefined): Fleet {
  const fleet = openRemote(url, group, { createsKeys: false })
  return { ...fleet, exec: (project, sql) => readingOnly((text) => fleet.exec(project, text))(sql) }
}

function openRemote(url: string, group: string | undefined, options: RemoteFleetOptions): Fleet {
  if (group === undefined)
    throw new TargetError('--remote needs the id of a group.', {
      hint: 'Name it with --group grp_….',
    })
  const keys = readRemoteKeys(process.env)
  const client = createPlatformClient({ url, keys, http: answerClient() })
  return createRemoteFleet(client, group, options)
}
