// Credentials in bundled requests. For each credential, a bundle contains only the content, such as claims, and no usable text.
// The emulator that opens the bundle issues the credential again with the keys of the bundled state.
import { z } from 'zod'
import { isJsonObject, type JsonObject, parseJson } from '../../core/json.ts'
import type { GroupId, ProjectId } from '../../core/names.ts'
import { epochMillis, parseInstant } from '../../core/time.ts'
import {
  type ApiKeyLookup,
  GROUP_KEY_PREFIX,
  hashApiKey,
  MANAGEMENT_KEY_PREFIX,
} from '../../platform/credentials/api-key.ts'
import { CredentialError } from '../../platform/credentials/credential-error.ts'
import type { LocalKeys } from '../../platform/credentials/local-keys.ts'
import type { SigningKeys } from '../../platform/credentials/signing-keys.ts'

/** The content of a credential, with which the credential can be issued again. */
export type NamedCredential =
  | { readonly kind: 'project' | 'session'; readonly claims: JsonObject }
  | {
      readonly kind: 'storage' | 'realtime'
      readonly claims: JsonObject
      readonly key_version: number | null
    }
  | { readonly kind: 'group_key'; readonly group_id: string }
  | { readonly kind: 'management_key'; readonly project_id: string }

const Claims: z.ZodType<JsonObject> = z.record(z.string(), z.json())
const KeyVersion = z.number().nullable()

export const NamedCredential: z.ZodType<NamedCredential> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('project'), claims: Claims }),
  z.object({ kind: z.literal('storage'), claims: Claims, key_version: KeyVersion }),
  z.object({ kind: z.literal('realtime'), claims: Claims, key_version: KeyVersion }),
  z.object({ kind: z.literal('session'), claims: Claims }),
  z.object({ kind: z.literal('group_key'), group_id: z.string() }),
  z.object({ kind: z.literal('management_key'), project_id: z.string() }),
])

/** The keys with which the platform issues credentials. */
export interface CredentialKeys {
  readonly signingKeys: SigningKeys
  readonly localKeys: Pick<LocalKeys, 'groupKey' | 'managementKey'>
  readonly apiKeys: ApiKeyLookup
}

/** Names and issues the credentials of many requests. Each distinct credential is named and issued once. */
export interface BundledCredentials {
  /** Names a credential that these keys issued. Returns `undefined` for any other text. */
  name(text: string): Promise<NamedCredential | undefined>
  /** Issues the credential again. Returns `undefined` for an API key that these keys do not derive. */
  issue(named: NamedCredential): Promise<string | undefined>
}

export function bundledCredentials(keys: CredentialKeys): BundledCredentials {
  return {
    name: once((text: string) => nameCredential(keys, text), String),
    issue: once((named: NamedCredential) => issueAgain(keys, named), JSON.stringify),
  }
}

function once<Given, Result>(
  work: (given: Given) => Promise<Result>,
  keyOf: (given: Given) => string,
): (given: Given) => Promise<Result> {
  const known = new Map<string, Promise<Result>>()
  return (given) => {
    const key = keyOf(given)
    const result = known.get(key) ?? work(given)
    known.set(key, result)
    return result
  }
}

const PASETO = 'v4.public.'

async function nameCredential(
  keys: CredentialKeys,
  text: string,
): Promise<NamedCredential | undefined> {
  if (text.startsWith(GROUP_KEY_PREFIX) || text.startsWith(MANAGEMENT_KEY_PREFIX))
    return nameApiKey(keys, text)
  const { signingKeys } = keys
  if (text.startsWith(PASETO)) {
    const claims = await valid(() => signingKeys.verifyPaseto(text, epochMillis(0)))
    return claims && { kind: 'session', claims }
  }
  const signed = await valid(() => signingKeys.verifyEs256(text))
  if (signed !== undefined) return { kind: 'project', claims: signed.claims }
  for (const kind of ['storage', 'realtime'] as const) {
    const token = await valid(() => signingKeys.verifyHs256(kind, text))
    if (token !== undefined) return { kind, claims: token.claims, key_version: keyVersionOf(text) }
  }
  return undefined
}

async function issueAgain(
  { apiKeys, localKeys, signingKeys }: CredentialKeys,
  named: NamedCredential,
): Promise<string | undefined> {
  switch (named.kind) {
    case 'project':
      return signingKeys.signEs256(named.claims)
    case 'storage':
    case 'realtime':
      return signingKeys.signHs256(named.kind, named.claims, named.key_version ?? undefined)
    case 'session': {
      const issuedAt = parseInstant(String(named.claims['iat']))
      const expiry = parseInstant(String(named.claims['exp']))
      if (issuedAt === undefined || expiry === undefined) return undefined
      return signingKeys.signPaseto(named.claims, issuedAt, (expiry - issuedAt) / 1_000)
    }
    case 'group_key': {
      const key = localKeys.groupKey(named.group_id)
      return apiKeys.findGroupKey(key.hash) && key.clearText
    }
    case 'management_key': {
      const key = localKeys.managementKey(named.project_id)
      return apiKeys.findManagementKey(key.hash) && key.clearText
    }
    default:
      return named satisfies never
  }
}

// Names only keys that the emulator derives. For a key that a caller created, the state contains only the hash.
function nameApiKey(
  { apiKeys, localKeys }: CredentialKeys,
  text: string,
): NamedCredential | undefined {
  const hash = hashApiKey(text)
  const groupId: GroupId | undefined = apiKeys.findGroupKey(hash)?.groupId
  if (groupId !== undefined && localKeys.groupKey(groupId).hash === hash)
    return { kind: 'group_key', group_id: groupId }
  const projectId: ProjectId | undefined = apiKeys.findManagementKey(hash)?.projectId
  if (projectId !== undefined && localKeys.managementKey(projectId).hash === hash)
    return { kind: 'management_key', project_id: projectId }
  return undefined
}

function keyVersionOf(token: string): number | null {
  const header = parseJson(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8'))
  const version = isJsonObject(header) ? header['kv'] : undefined
  return typeof version === 'number' ? version : null
}

async function valid<Result>(verify: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await verify()
  } catch (error) {
    if (error instanceof CredentialError) return undefined
    throw error
  }
}

const PASETO_SIGNATURE_BYTES = 64

/** Removes the signature of a token, so that the token cannot be used. Returns `undefined` for any other text. */
export function unsigned(text: string): string | undefined {
  if (text.startsWith(PASETO)) {
    const body = Buffer.from(text.slice(PASETO.length).split('.')[0] ?? '', 'base64url')
    if (body.length <= PASETO_SIGNATURE_BYTES) return undefined
    return PASETO + body.fill(0, body.length - PASETO_SIGNATURE_BYTES).toString('base64url')
  }
  const [header = '', claims = '', signature] = text.split('.')
  if (signature === undefined) return undefined
  const isToken = isJsonObject(parseJson(Buffer.from(claims, 'base64url').toString('utf8')))
  return isToken ? `${header}.${claims}.` : undefined
}
