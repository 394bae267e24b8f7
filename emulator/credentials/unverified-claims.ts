// The unverified claims of a JWT or a PASETO v4.public token. Pure.
import { isJsonObject, type JsonObject, parseJson } from '../core/json.ts'
import { parseSchemaName, type SchemaName } from '../core/names.ts'
import { bearerOf } from './verified.ts'

const PASETO = 'v4.public.'
const PASETO_SIGNATURE_BYTES = 64

/** The credential that decides: the bearer, else the `apikey` of header or query. */
export function credentialOf(headers: Headers, target: string): string | undefined {
  return credentialsOf(headers, target)[0]
}

/** The tenant that a request's credentials claim: of the first one that names any. For filing only, never for a decision. */
export function claimedSchemaOf(headers: Headers, target: string): SchemaName | undefined {
  for (const credential of credentialsOf(headers, target)) {
    const claimed = readClaims(credential)?.['project_schema']
    const schemaName = typeof claimed === 'string' ? parseSchemaName(claimed) : undefined
    if (schemaName !== undefined) return schemaName
  }
  return undefined
}

function credentialsOf(headers: Headers, target: string): readonly string[] {
  const query = new URLSearchParams(target.split('?')[1] ?? '')
  return [
    bearerOf(headers.get('authorization')),
    headers.get('apikey'),
    query.get('apikey'),
    query.get('token'),
  ].filter((credential) => typeof credential === 'string')
}

/** `undefined` when the text carries no claims, as an API key does not. */
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
