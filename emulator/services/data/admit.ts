// Verifies both credentials and the requested schema of each request (docs/wire/data-plane.md#gate). The later steps of the
// pipeline get only the caller, the schema and the settings.
import type { HeaderReader } from '../../core/headers.ts'
import type { SchemaName } from '../../core/names.ts'
import type { PrincipalCredentialKind } from '../../core/principal.ts'
import { CredentialError } from '../../platform/credentials/credential-error.ts'
import {
  bearerOf,
  type VerifiedPrincipal,
  type Verifier,
} from '../../platform/credentials/verified.ts'
import { DataError } from './errors.ts'
import { type ChosenSchema, chooseSchema, isWrite } from './request/parse-request.ts'
import type { DataActor, DataSettings } from './settings.ts'

export interface Admission {
  readonly actor: DataActor
  readonly settings: DataSettings
  readonly chosen: ChosenSchema
  /** The credential's subject, which the journal records with the request. */
  readonly subject: string
  readonly credentialKind: PrincipalCredentialKind
}

export interface Gate {
  readonly verifier: Verifier
  /** The data plane's settings for a project. */
  settingsOf(schemaName: SchemaName): DataSettings
}

/** @throws {DataError} `unauthorized`, PGRST106 */
export async function admit(gate: Gate, method: string, headers: HeaderReader): Promise<Admission> {
  const { principal } = await principalOf(gate, headers)
  const { schemaName, role, claims, claimsText, subject, credentialKind } = principal
  const settings = gate.settingsOf(schemaName)
  return {
    actor: { schemaName, role, claims, claimsText, isAnonymous: role === 'anon' },
    settings,
    chosen: ownSchema(method, headers, settings),
    subject,
    credentialKind,
  }
}

async function principalOf(gate: Gate, headers: HeaderReader): Promise<VerifiedPrincipal> {
  const authorization = headers.get('authorization')
  const apiKey = headers.get('apikey')
  if (authorization === null)
    throw unauthorized(
      'The header Authorization is missing.',
      'Send "Authorization: Bearer <key or data_plane_token>". This credential decides who acts.',
    )
  if (apiKey === null || apiKey.trim() === '')
    throw unauthorized(
      'The header apikey is missing.',
      "Send the project's anon or service_role key in it.",
    )
  const bearer = bearerOf(authorization)
  const acting = await verified(gate, 'Authorization', bearer)
  const key = bearer === apiKey ? acting : await verified(gate, 'apikey', apiKey)
  if (key.principal.credentialKind === 'dataPlaneToken')
    throw unauthorized(
      'The header apikey holds a credential of the wrong kind: a data_plane_token.',
      "Send the project's anon or service_role key in apikey, and the token in Authorization.",
    )
  if (key.principal.projectId !== acting.principal.projectId)
    throw unauthorized(
      'The headers Authorization and apikey hold credentials of different projects.',
      'Send two credentials of the same project.',
    )
  return acting
}

async function verified(
  gate: Gate,
  header: string,
  text: string | undefined,
): Promise<VerifiedPrincipal> {
  try {
    return await gate.verifier.verify(text, ['principal'])
  } catch (error) {
    if (!(error instanceof CredentialError)) throw error
    throw unauthorized(
      `The header ${header} holds no usable credential: ${flawOf(error)}.`,
      error.hint,
      error,
    )
  }
}

function flawOf(error: CredentialError): string {
  const reason = error.message.replace(/\.$/, '')
  switch (error.code) {
    case 'missing':
      return 'it is missing (expected "Bearer <credential>")'
    case 'malformed':
    case 'expired':
    case 'revoked':
    case 'offline':
      return `${error.code} (${reason})`
    case 'userGone':
      return reason
    case 'wrongKind':
      return `wrong kind (${reason})`
    default:
      return error.code satisfies never
  }
}

function unauthorized(message: string, hint: string | undefined, cause?: unknown): DataError {
  return new DataError('unauthorized', message, { hint, cause })
}

// The profile `public`, which clients send by default, selects the project's own schema. The error never reveals whether
// another project's schema exists.
function ownSchema(method: string, headers: HeaderReader, settings: DataSettings): ChosenSchema {
  const profile = headers.get(isWrite(method) ? 'content-profile' : 'accept-profile')
  const own = settings.schemas[0] ?? ''
  if (profile === 'public') return { schema: own, isNegotiatedByProfile: true }
  if (profile !== null && profile !== own && profile.startsWith('proj_'))
    throw unauthorized(
      `The credential does not belong to the schema "${profile}".`,
      'Send the profile of the project that the credential belongs to, or no profile.',
    )
  return chooseSchema(method, headers, settings.schemas)
}
