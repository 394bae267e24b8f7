// Examines project keys, data_plane_tokens, and tokens exchanged for them. The validity of these credentials depends on the
// project, the project's key version and the user.
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import { CredentialError } from '../../../platform/credentials/credential-error.ts'
import type { Project } from '../../../platform/projects/project.ts'
import { createTokenReader } from '../../../services/realtime/tokens/realtime-token.ts'
import { ActorReader } from '../../../services/storage/access/actor.ts'
import { type ExamineDeps, type Examined, refusalOf, signatureFlaw } from './examined.ts'
import { signatureOf } from './signature.ts'
import {
  expiryFlaw,
  expiryOf,
  type Flaw,
  flawed,
  keyVersionFlaw,
  projectFlaw,
  projectOfClaims,
  userFlaw,
} from './token-state.ts'
import type { TokenKind, TokenText } from './token-text.ts'

/** Examines a token whose claims name a project. */
export async function examineSigned(deps: ExamineDeps, token: TokenText): Promise<Examined> {
  const signature = await signatureOf(deps.signingKeys, token)
  const project = projectOfClaims(deps.projects, token.claims)
  const claims = token.claims ?? {}
  const refusal = await refusalOf(() => (READERS[token.kind] ?? noReader)(deps, token.text))
  return {
    signature,
    expiresAt: expiryOf(token.claims),
    project,
    flaw:
      refusal && (signatureFlaw(signature) ?? (await stateFlaw(deps, token, project)) ?? refusal),
    bearer: bearerOf(token, claims),
  }
}

type Reader = (deps: ExamineDeps, text: string) => Promise<unknown>

const principalReader: Reader = ({ verifier }, text) => verifier.verify(text, ['principal'])

const READERS: Readonly<Partial<Record<TokenKind, Reader>>> = {
  anon_key: principalReader,
  service_role_key: principalReader,
  data_plane_token: principalReader,
  storage_token: (deps, text) => new ActorReader(deps).requireActor(`Bearer ${text}`, {}),
  realtime_token: (deps, text) => createTokenReader(deps).read(text),
}

const noReader: Reader = () =>
  Promise.reject(new CredentialError('malformed', 'The text is not a token.'))

async function stateFlaw(
  { clock, standings }: ExamineDeps,
  { claims, header, kind }: TokenText,
  project: Project | undefined,
): Promise<Flaw | undefined> {
  const late = expiryFlaw(expiryOf(claims), clock.now())
  if (late !== undefined) return late
  const named = claims?.['project_schema']
  const offline = projectFlaw(project, String(named))
  if (offline !== undefined || project === undefined) return offline
  if (project.schemaName !== named)
    return flawed(
      'credential',
      `The token's claims contradict each other: project_id belongs to ${project.schemaName}, and project_schema is ${String(named)}.`,
    )
  const carried = kind === 'storage_token' ? header?.['kv'] : carriedKeyVersion(claims ?? {})
  const revoked = keyVersionFlaw(project, carried)
  if (revoked !== undefined) return revoked
  return actingRole(claims ?? {}) === 'authenticated'
    ? userFlaw(standings, project, String(claims?.['sub']))
    : undefined
}

function carriedKeyVersion(claims: JsonObject): unknown {
  const { kv, claims: inner } = claims
  return kv ?? (isJsonObject(inner) ? inner['kv'] : undefined)
}

/** Returns the role of a token within the project. A service token has the role of the credential for which it was issued. */
export function actingRole(claims: JsonObject): string {
  return String(claims['sdb_role'] ?? claims['origin_role'] ?? claims['role'])
}

/** Describes who holds the token, in words that fit into a sentence, e.g. `the user ana@example.com`. */
export function bearerOf({ kind }: TokenText, claims: JsonObject): string {
  const role = actingRole(claims)
  if (role !== 'authenticated')
    return kind.endsWith('_key') ? role : `the holder of the ${role} key`
  const inner = claims['claims']
  const email = claims['email'] ?? (isJsonObject(inner) ? inner['email'] : undefined)
  return `the user ${typeof email === 'string' ? email : String(claims['sub'])}`
}
