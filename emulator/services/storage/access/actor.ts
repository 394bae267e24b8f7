// Reads and checks the storage token of a request (docs/wire/storage.md#access). The reader verifies a signature once for each
// token text. The reader checks expiry, project and user at every use.
import type { JsonObject } from '../../../core/json.ts'
import { parseSchemaName, type SchemaName } from '../../../core/names.ts'
import type { RequestFacts } from '../../../core/observation.ts'
import type { PrincipalRole } from '../../../core/principal.ts'
import type { StorageRole } from '../../../platform/credentials/service-tokens.ts'
import type { StorageDeps } from '../deps.ts'
import { StorageError } from '../errors.ts'
import type { StorageErrorCode } from '../refusals.ts'
import { EXPIRED, isExpired, readSignedToken } from './signed-token.ts'

export interface StorageActor {
  readonly role: StorageRole
  readonly schemaName: SchemaName
  /** Value of the claim `sub`: a user's id, or `apikey:…` for a key. */
  readonly subject: string
  /** Role of the key or session that was exchanged for this token. */
  readonly originRole: PrincipalRole
}

type ActorDeps = Pick<StorageDeps, 'signingKeys' | 'projects' | 'standings' | 'clock'>

/** Number of verified signatures to cache. */
const REMEMBERED_TOKENS = 2_000
/** Matches the platform's opaque keys and its PASETO tokens (docs/wire/storage.md#access). */
const PLATFORM_CREDENTIAL = /^(sdb_|v4\.)/

interface Remembered {
  readonly actor: StorageActor
  readonly claims: JsonObject
  /** Version of the project's keys when the token was issued. */
  readonly keyVersion: unknown
}

export class ActorReader {
  readonly #deps: ActorDeps
  readonly #remembered = new Map<string, Remembered>()

  constructor(deps: ActorDeps) {
    this.#deps = deps
  }

  /** @throws {StorageError} `invalidRequest` without the header, `badBearer`, `revokedBearer`, `directKey` */
  async requireActor(authorization: string | null, facts: RequestFacts): Promise<StorageActor> {
    if (authorization === null)
      throw new StorageError(
        'invalidRequest',
        "headers must have required property 'authorization'",
      )
    const { actor, claims, keyVersion } = await this.#verify(
      authorization.replace(/^bearer\s*/i, '').trim(),
    )
    facts.schemaName = actor.schemaName
    facts.role = actor.role
    facts.subject = actor.subject
    facts.credentialKind = 'storageToken'
    if (isExpired(claims, this.#deps.clock.now())) throw badBearer(EXPIRED)
    await refuseGone(this.#deps, actor, keyVersion)
    return actor
  }

  /**
   * Serves routes that need no token. Returns `undefined` when the request has no valid token. @throws {StorageError}
   * `directKey`
   */
  async findActor(
    authorization: string | null,
    facts: RequestFacts,
  ): Promise<StorageActor | undefined> {
    if (authorization === null) return undefined
    try {
      return await this.requireActor(authorization, facts)
    } catch (error) {
      if (error instanceof StorageError && LIKE_NO_TOKEN.has(error.code)) return undefined
      throw error
    }
  }

  async #verify(text: string): Promise<Remembered> {
    const known = this.#remembered.get(text)
    if (known !== undefined) return known
    if (PLATFORM_CREDENTIAL.test(text)) throw directKey()
    const reading = await readSignedToken(this.#deps.signingKeys, text)
    if (reading.kind === 'foreign') throw directKey()
    if (reading.kind === 'flawed') throw badBearer(reading.message)
    const { claims, header } = reading
    const verified = { actor: actorOf(claims), claims, keyVersion: header['kv'] }
    const oldest =
      this.#remembered.size >= REMEMBERED_TOKENS ? this.#remembered.keys().next().value : undefined
    if (oldest !== undefined) this.#remembered.delete(oldest)
    this.#remembered.set(text, verified)
    return verified
  }
}

async function refuseGone(
  deps: ActorDeps,
  actor: StorageActor,
  keyVersion: unknown,
): Promise<void> {
  const project = deps.projects.findProjectBySchema(actor.schemaName)
  if (project?.state !== 'active')
    throw badBearer(`The project ${actor.schemaName} is not active: it was removed or purged.`)
  // Regenerating a project's keys invalidates older tokens at once (docs/wire/storage.md#access).
  if (project.keyVersion !== keyVersion)
    throw new StorageError(
      'revokedBearer',
      'The keys of the project were regenerated after this token was made.',
      {
        hint: 'Exchange a new key, or the data_plane_token of a new session, at POST /st/v1/token.',
      },
    )
  if (actor.originRole !== 'authenticated') return
  const standing = await deps.standings.standingOf(actor.schemaName, actor.subject)
  if (standing !== 'good') throw badBearer(`The user behind this token is ${standing}.`)
}

/** Errors that `findActor` treats like a missing token. */
const LIKE_NO_TOKEN: ReadonlySet<string> = new Set<StorageErrorCode>(['badBearer', 'revokedBearer'])

const ORIGINS: readonly PrincipalRole[] = ['anon', 'authenticated', 'service_role']

function actorOf(claims: JsonObject): StorageActor {
  const { role, sub } = claims
  const schemaName = parseSchemaName(String(claims['project_schema']))
  const originRole = ORIGINS.find((known) => known === claims['origin_role'])
  if (
    (role !== 'anon' && role !== 'authenticated') ||
    typeof sub !== 'string' ||
    schemaName === undefined ||
    originRole === undefined
  )
    throw badBearer('The token lacks the claims of a storage token.')
  return { role, schemaName, subject: sub, originRole }
}

function badBearer(message: string): StorageError {
  return new StorageError('badBearer', message)
}

function directKey(): StorageError {
  return new StorageError('directKey', undefined, {
    hint: 'Exchange it at POST /st/v1/token and send the token from the answer.',
  })
}
