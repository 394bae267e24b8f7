// Verifies a subscriber's HS256 realtime token, and refuses invalid tokens with upstream's texts
// (docs/wire/realtime.md#tokens). The reader checks the signature once per token text. The reader checks expiry, project and
// user at every use.
import type { Clock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { parseSchemaName, type SchemaName } from '../../../core/names.ts'
import type { PrincipalRole } from '../../../core/principal.ts'
import { type EpochSeconds, toEpochSeconds } from '../../../core/time.ts'
import { CredentialError } from '../../../platform/credentials/credential-error.ts'
import type { SigningKeys } from '../../../platform/credentials/signing-keys.ts'
import type { UserStandings } from '../../../platform/credentials/standing.ts'
import type { ProjectLookup } from '../../../platform/projects/project.ts'
import { flawText, type TokenFlaw } from '../refusals.ts'

/** A verified token. While the cache has the token, the same text yields the same object. */
export interface RealtimeToken {
  readonly text: string
  readonly schemaName: SchemaName
  /** The subscriber's role, called `sdb_role` in the token. */
  readonly role: PrincipalRole
  readonly subject: string
  /** The subscriber's own claims, which policies can read. */
  readonly claims: JsonObject
  readonly claimsText: string
  /** Key version (`kv`) of the credential that was exchanged for this token. */
  readonly keyVersion: number
  readonly expiresAt: EpochSeconds
}

/** The reason to refuse a token. Channels send the message. Handshakes and HTTP routes have their own texts. */
export class RealtimeTokenError extends EmulatorError {
  override readonly code: TokenFlaw

  constructor(code: TokenFlaw, message: string = flawText(code)) {
    super(message)
    this.code = code
  }
}

export interface TokenReader {
  /** Verifies signature, expiry, project and user. @throws {RealtimeTokenError} */
  read(text: string | undefined): Promise<RealtimeToken>
  /** Returns why a formerly valid token is no longer valid, or `undefined` while the token is valid. */
  flawOf(token: RealtimeToken): Promise<RealtimeTokenError | undefined>
}

export interface TokenReaderDeps {
  readonly signingKeys: SigningKeys
  readonly projects: ProjectLookup
  readonly standings: UserStandings
  readonly clock: Clock
}

/** Maximum number of tokens in the cache. A token with its claims takes about 2 KB. */
const REMEMBERED = 2_000

export function createTokenReader(deps: TokenReaderDeps): TokenReader {
  const remembered = new Map<string, RealtimeToken>()

  async function verified(text: string): Promise<RealtimeToken> {
    const known = remembered.get(text)
    if (known !== undefined) return known
    const token = tokenOf(text, await verifiedClaims(deps.signingKeys, text))
    const oldest = remembered.size >= REMEMBERED ? remembered.keys().next().value : undefined
    if (oldest !== undefined) remembered.delete(oldest)
    remembered.set(text, token)
    return token
  }

  return {
    read: async (text) => {
      if (text === undefined || text === '') throw new RealtimeTokenError('missing')
      const token = await verified(text)
      const flaw = await flawOf(deps, token)
      if (flaw !== undefined) throw flaw
      return token
    },
    flawOf: (token) => flawOf(deps, token),
  }
}

async function verifiedClaims(signingKeys: SigningKeys, text: string): Promise<JsonObject> {
  if (!looksLikeJwt(text)) throw new RealtimeTokenError('malformed')
  try {
    return (await signingKeys.verifyHs256('realtime', text)).claims
  } catch (error) {
    if (error instanceof CredentialError) throw new RealtimeTokenError('badSignature')
    throw error
  }
}

// Upstream has separate errors for a text that is not a JWT and for a JWT with a wrong signature.
function looksLikeJwt(text: string): boolean {
  const [header, payload, signature, ...rest] = text.split('.')
  if (header === undefined || payload === undefined || !signature || rest.length > 0) return false
  return [header, payload].every((part) =>
    isJsonObject(parseJson(Buffer.from(part, 'base64url').toString('utf8'))),
  )
}

const ROLES: readonly PrincipalRole[] = ['anon', 'authenticated', 'service_role']

function tokenOf(text: string, wire: JsonObject): RealtimeToken {
  const expiry = wire['exp']
  if (typeof wire['role'] !== 'string' || typeof expiry !== 'number')
    throw new RealtimeTokenError('missingClaims')
  const role = ROLES.find((known) => known === wire['sdb_role'])
  const schemaName = parseSchemaName(textOf(wire['project_schema']))
  const claims = wire['claims']
  if (role === undefined || schemaName === undefined || !isJsonObject(claims))
    throw new RealtimeTokenError('malformed')
  return {
    text,
    schemaName,
    role,
    subject: textOf(wire['sub']),
    claims,
    claimsText: JSON.stringify(claims),
    keyVersion: typeof claims['kv'] === 'number' ? claims['kv'] : 0,
    expiresAt: expiry as EpochSeconds,
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : ''
}

async function flawOf(
  { clock, projects, standings }: TokenReaderDeps,
  token: RealtimeToken,
): Promise<RealtimeTokenError | undefined> {
  const late = toEpochSeconds(clock.now()) - token.expiresAt
  if (late >= 0) return new RealtimeTokenError('expired', `Token has expired ${late} seconds ago`)
  const project = projects.findProjectBySchema(token.schemaName)
  if (project === undefined || project.state === 'purged')
    return new RealtimeTokenError('unknownProject')
  if (project.state !== 'active') return new RealtimeTokenError('offline')
  if (project.keyVersion !== token.keyVersion) return new RealtimeTokenError('revoked')
  if (token.role !== 'authenticated') return undefined
  const standing = await standings.standingOf(token.schemaName, token.subject)
  return standing === 'good' ? undefined : new RealtimeTokenError('userGone')
}
