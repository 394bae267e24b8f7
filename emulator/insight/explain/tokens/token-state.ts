// Explains why the current state refuses a credential. Checks time, project, key version and user, in the order of the
// services (docs/wire/credentials.md#kinds). Writes sentences only: the services' readers decide whether a credential is
// valid.
import { Instant } from '../../../contract/values.ts'
import type { JsonObject } from '../../../core/json.ts'
import { parseSchemaName, trusted } from '../../../core/names.ts'
import { type EpochMillis, epochMillis, SECOND_MILLIS, toIso } from '../../../core/time.ts'
import type { UserStandings } from '../../../platform/credentials/standing.ts'
import type { Project, ProjectLookup } from '../../../platform/projects/project.ts'
import { spanText } from '../../api-kit/span-text.ts'

/** Last second that this platform can format as ISO 8601 (the maximum of JavaScript's Date). */
const LAST_SECOND = 8.64e12

/** The project that the claims name, whatever its state. */
export function projectOfClaims(
  projects: ProjectLookup,
  claims: JsonObject | null,
): Project | undefined {
  const id = claims?.['project_id']
  if (typeof id === 'string') return projects.findProject(trusted.projectId(id))
  const schemaName = parseSchemaName(String(claims?.['project_schema']))
  return schemaName === undefined ? undefined : projects.findProjectBySchema(schemaName)
}

/** Returns when the claims expire. JWTs contain a NumericDate, and PASETO tokens contain an ISO 8601 text. */
export function expiryOf(claims: JsonObject | null): EpochMillis | undefined {
  const expiry = claims?.['exp']
  if (typeof expiry === 'number')
    return Math.abs(expiry) < LAST_SECOND ? epochMillis(expiry * SECOND_MILLIS) : undefined
  return Instant.safeParse(expiry).data
}

/** Such as `The credential expires in 3 minutes, at 2026-11-29 10:00:00 UTC on the platform’s clock.` */
export function expirySentence(expiresAt: EpochMillis, now: EpochMillis): string {
  const span = spanText(Math.abs(expiresAt - now))
  const at = `${toIso(expiresAt).slice(0, 19).replace('T', ' ')} UTC`
  return expiresAt <= now
    ? `The credential expired ${span} ago, at ${at} on the platform’s clock.`
    : `The credential expires in ${span}, at ${at} on the platform’s clock.`
}

/** Refuses a credential that has expired by `now`. */
export function expiryFlaw(expiresAt: EpochMillis | undefined, now: EpochMillis): Flaw | undefined {
  return expiresAt !== undefined && expiresAt <= now
    ? flawed('credential', expirySentence(expiresAt, now))
    : undefined
}

/** Returns why the project's state refuses its credentials; `undefined` while the project is active. */
export function projectFlaw(project: Project | undefined, schemaName: string): Flaw | undefined {
  const sentence = stateSentence(project, schemaName)
  return sentence === undefined ? undefined : flawed('project', sentence)
}

function stateSentence(project: Project | undefined, schemaName: string): string | undefined {
  switch (project?.state) {
    case 'active':
      return undefined
    case undefined:
      return `This emulator has no project ${schemaName}.`
    case 'reserved':
      return `The project ${schemaName} is still being built.`
    case 'deleted':
      return `The project ${schemaName} was removed. Its data is kept, and its credentials are refused.`
    case 'purging':
      return `The project ${schemaName} is being purged. Its credentials are refused.`
    case 'purged':
      return `The project ${schemaName} was purged. Its data is gone, and its slug cannot be used again.`
  }
}

/** Returns why the key version refuses a token; `undefined` when the token has the project's current key version. */
export function keyVersionFlaw(project: Project, carried: unknown): Flaw | undefined {
  if (carried === project.keyVersion) return undefined
  return flawed(
    'credential',
    `The token was revoked: the keys of ${project.schemaName} were regenerated after it was issued. The token has key version ${String(carried ?? 'none')}, and the current one is ${project.keyVersion}.`,
  )
}

/** Returns why the user's state refuses a token; `undefined` while the user exists and is not banned. */
export async function userFlaw(
  standings: UserStandings,
  project: Project,
  userId: string,
): Promise<Flaw | undefined> {
  const standing = await standings.standingOf(project.schemaName, userId)
  switch (standing) {
    case 'good':
      return undefined
    case 'banned':
      return flawed(
        'claims',
        `The user ${userId} is banned. Tokens are refused until the ban ends.`,
      )
    case 'deleted':
      return flawed('claims', `The user ${userId} was deleted. Tokens are refused at once.`)
  }
}

export interface Flaw {
  readonly at: 'credential' | 'project' | 'claims'
  readonly sentence: string
}

export function flawed(at: Flaw['at'], sentence: string): Flaw {
  return { at, sentence }
}
