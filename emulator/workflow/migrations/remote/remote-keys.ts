// The credentials for a project that runs elsewhere. They come from the environment, so that they appear neither in the list of
// processes nor in a file of the project.
import { MISSING_KEY } from '../apply/fleet.ts'
import { RemoteError } from './remote-error.ts'

export const REMOTE_VARIABLES = {
  managementKey: 'TENANTRY_REMOTE_MANAGEMENT_KEY',
  groupApiKey: 'TENANTRY_REMOTE_GROUP_API_KEY',
  sessionToken: 'TENANTRY_REMOTE_SESSION_TOKEN',
} as const

export type RemoteKeys = {
  readonly [Name in keyof typeof REMOTE_VARIABLES]?: string | undefined
}

/** Reads the credentials. @throws {RemoteError} `missing_key` for a value that cannot be a credential */
export function readRemoteKeys(
  environment: Readonly<Record<string, string | undefined>>,
): RemoteKeys {
  const read = (variable: string): string | undefined => {
    const value = environment[variable]?.trim()
    if (value === undefined || value === '') return undefined
    if (/^[\x21-\x7e]+$/.test(value)) return value
    throw new RemoteError(
      MISSING_KEY,
      `${variable} is not a key: it contains spaces or characters outside ASCII.`,
      {
        hint: `Set ${variable} to the text that the platform showed when the key was created.`,
      },
    )
  }
  return {
    managementKey: read(REMOTE_VARIABLES.managementKey),
    groupApiKey: read(REMOTE_VARIABLES.groupApiKey),
    sessionToken: read(REMOTE_VARIABLES.sessionToken),
  }
}

/** A credential, and the variable that it came from, for messages. */
export interface NamedKey {
  readonly key: string
  readonly variable: string
}

/** Returns the first credential of `names` that is set. @throws {RemoteError} `missing_key` */
export function requireKey(
  keys: RemoteKeys,
  names: readonly (keyof RemoteKeys)[],
  purpose: string,
): NamedKey {
  for (const name of names) {
    const key = keys[name]
    if (key !== undefined) return { key, variable: REMOTE_VARIABLES[name] }
  }
  const variables = names.map((name) => REMOTE_VARIABLES[name])
  throw new RemoteError(MISSING_KEY, `No key is set for ${purpose}.`, {
    hint: `Set ${variables.join(' or ')} in the environment.`,
  })
}
