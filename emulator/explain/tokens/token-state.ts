// Why the current state refuses a credential, in the order in which every service checks it
// (docs/wire/credentials.md#kinds): time, project, key version, user. Sentences only; the services' readers decide.
import { Instant } from '../../contract/values.ts'
import type { JsonObject } from '../../core/json.ts'
import { parseSchemaName, trusted } from '../../core/names.ts'
import {
  DAY_MILLIS,
  type EpochMillis,
  epochMillis,
  HOUR_MILLIS,
  MINUTE_MILLIS,
  SECOND_MILLIS,
  toIso,
} from '../../core/time.ts'
import type { UserStandings } from '../../credentials/standing.ts'
import type { Project, ProjectLookup } from '../../projects/project.ts'

/** The last second that ISO 8601 texts of this platform can express. */
const LAST_SECOND = 8.64e12

/** The project named by claims, in any state. */
export function projectOfClaims(
  projects: ProjectLookup,
  claims: JsonObject | null,
): Project | undefined {
  const id = claims?.['project_id']
  if (typeof id === 'string') return projects.findProject(trusted.projectId(id))
  const schemaName = parseSchemaName(String(claims?.['project_schema']))
  return schemaName === undefined ? undefined : projects.findProjectBySchema(schemaName)
}

/** When claims expire: a NumericDate in JWTs, ISO 8601 in PASETO. */
export function expiryOf(claims: JsonObject | null): EpochMillis | undefined {
  const expiry = claims?.['exp']
  if (typeof expiry === 'number')
    return Math.abs(expiry) < LAST_SECOND ? epochMillis(expiry * SECOND_MILLIS) : undefined
  return Instant.safeParse(expiry).data
}

/** `expired 3 minutes ago (2026-…)` or `expires in 3 minutes (2026-…)`. */
export function expirySentence(expiresAt: EpochMillis, now: EpochMillis): string {
  const span = spanText(Math.abs(expiresAt - now))
  return expiresAt <= now
    ? `It expired ${span} ago, at ${toIso(expiresAt)} on the platform’s clock.`
    : `It expires in ${span}, at ${toIso(expiresAt)} on the platform’s clock.`
}

/** Refuses what has expired by `now`. */
export function expiryFlaw(expiresAt: EpochMillis | undefined, now: EpochMillis): Flaw | undefined {
  return expiresAt !== undefined && expiresAt <= now
    ? flawed('credential', expirySentence(expiresAt, now))
    : undefined
}

/** Why a project's credentials are refused; `undefined` while it is active. */
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

/** Why the version of the project's keys refuses a token; `undefined` when it is the current one. */
export function keyVersionFlaw(project: Project, carried: unknown): Flaw | undefined {
  if (carried === project.keyVersion) return undefined
  return flawed(
    'credential',
    `It was revoked: the keys of ${project.schemaName} were regenerated after it was issued (it has key version ${String(carried ?? 'none')}, the current one is ${project.keyVersion}).`,
  )
}

/** Why its user refuses a token; `undefined` while the user is in good standing. */
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

const UNITS: readonly (readonly [millis: number, name: string])[] = [
  [DAY_MILLIS, 'day'],
  [HOUR_MILLIS, 'hour'],
  [MINUTE_MILLIS, 'minute'],
  [SECOND_MILLIS, 'second'],
]

// A duration in its largest whole unit.
function spanText(millis: number): string {
  const [size, name] = UNITS.find(([unit]) => millis >= unit) ?? [SECOND_MILLIS, 'second']
  const count = Math.floor(millis / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

export interface Flaw {
  readonly at: 'credential' | 'project' | 'claims'
  readonly sentence: string
}

export function flawed(at: Flaw['at'], sentence: string): Flaw {
  return { at, sentence }
}
