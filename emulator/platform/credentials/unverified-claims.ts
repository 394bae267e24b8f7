// Reads the claims of a JWT or a PASETO v4.public token without verifying them. Pure.

import type { HeaderReader } from '../../core/headers.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts'
import { parseSchemaName, type SchemaName } from '../../core/names.ts'
import { CREDENTIAL_HEADERS, CREDENTIAL_PARAMETERS } from '../secrets/secret-names.ts'
import { bearerOf } from './verify.ts'

const PASETO = 'v4.public.'
const PASETO_SIGNATURE_BYTES = 64

/** Returns the credential that applies: the bearer token, or else the `apikey` of the header or query. */
export function credentialOf(headers: HeaderReader, target: string): string | undefined {
  return credentialsOf(headers, target)[0]
}

/**
 * Returns the tenant in the claims of the first credential that names a tenant. Use the result only to file the request, never to
 * authorise the request.
 */
export function claimedSchemaOf(headers: HeaderReader, target: string): SchemaName | undefined {
  for (const credential of credentialsOf(headers, target)) {
    const claimed = readClaims(credential)?.['project_schema']
    const schemaName = typeof claimed === 'string' ? parseSchemaName(claimed) : undefined
    if (schemaName !== undefined) return schemaName
  }
  return undefined
}

function credentialsOf(headers: HeaderReader, target: string): readonly string[] {
  const query = new URLSearchParams(target.split('?')[1] ?? '')
  return [
    bearerOf(headers.get(CREDENTIAL_HEADERS.bearer)),
    headers.get(CREDENTIAL_HEADERS.projectKey),
    query.get(CREDENTIAL_PARAMETERS.projectKey),
    query.get(CREDENTIAL_PARAMETERS.urlToken),
  ].filter((credential) => typeof credential === 'string')
}

/** Decodes the claims; `undefined` for credentials without claims, such as API keys. */
export function readClaims(credential: string | undefined): JsonObject | undefined {
  if (credential === undefined) return undefined
  const payload = credential.startsWith(PASETO)
    ? pasetoPayload(credential)
    : decoded(credential.split('.')[1] ?? '')
  const claims = payload && parseJson(payload.toString('utf8'))
  return isJsonObject(claims) ? claims : undefined
}

function pasetoPayload(token: string): Buffer {
  const body = decoded(token.slice(PASETO.length).split('.')[0] ?? '')
  return body.subarray(0, Math.max(0, body.length - PASETO_SIGNATURE_BYTES))
}

function decoded(part: string): Buffer {
  return Buffer.from(part, 'base64url')
}
