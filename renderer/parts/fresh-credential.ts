// Finds or mints a new credential with which the user can send a recorded request again. Pure.
import type { ReadyLine } from '../../emulator/contract/addresses.ts'
import type { JournalEntry } from '../../emulator/contract/journal.ts'
import type { MintTokenRequest } from '../../emulator/contract/tokens.ts'

export type CredentialSource =
  /** The caller can mint the credential with POST /_emulator/v1/tokens/mint. */
  | { readonly kind: 'mint'; readonly order: MintTokenRequest }
  /** GET /_emulator/v1/info lists the credential. */
  | { readonly kind: 'known'; readonly credential: string }
  /** The emulator cannot supply the credential; only its holder has it. */
  | { readonly kind: 'none' }

type Claims = Readonly<Record<string, unknown>> | null

/**
 * Finds a credential for the request's identity. Uses the identity in the request's claims when the platform refused
 * the request before verification.
 */
export function freshCredentialOf(
  entry: JournalEntry,
  claims: Claims,
  info: ReadyLine | undefined,
): CredentialSource {
  const project = entry.schema_name ?? textOf(claims?.['project_schema'])
  switch (entry.credential_kind) {
    case 'groupApiKey':
      return known(info?.groups.find(({ id }) => id === entry.group_id)?.group_api_key)
    case 'sessionToken':
      return known(info?.platform.session_token)
    case 'managementKey':
      return known(tenantOf(info, entry.schema_name)?.management_key)
    case 's3Key':
    case 'accessToken':
      return { kind: 'none' }
    default:
      return project === undefined ? { kind: 'none' } : mintFor(entry, claims, project)
  }
}

function mintFor(entry: JournalEntry, claims: Claims, project: string): CredentialSource {
  const role = roleOf(
    entry.role ?? claims?.['sdb_role'] ?? claims?.['origin_role'] ?? claims?.['role'],
  )
  const subject = entry.subject ?? textOf(claims?.['sub'])
  if (role === undefined) return { kind: 'none' }
  const isPerson = role === 'authenticated' && subject !== undefined
  const user = isPerson ? { user: subject } : {}
  if (entry.service === 'storage' || entry.credential_kind === 'storageToken')
    return { kind: 'mint', order: { project, kind: 'storage_token', role, ...user } }
  if (entry.service === 'realtime')
    return { kind: 'mint', order: { project, kind: 'realtime_token', role, ...user } }
  if (role === 'authenticated')
    return { kind: 'mint', order: { project, kind: 'data_plane_token', ...user } }
  return {
    kind: 'mint',
    order: { project, kind: role === 'anon' ? 'anon_key' : 'service_role_key' },
  }
}

function roleOf(value: unknown): 'anon' | 'authenticated' | 'service_role' | undefined {
  return value === 'anon' || value === 'authenticated' || value === 'service_role'
    ? value
    : undefined
}

function tenantOf(info: ReadyLine | undefined, schemaName: string | null) {
  return info?.groups
    .flatMap(({ tenants }) => tenants)
    .find((tenant) => tenant.schema_name === schemaName)
}

function known(credential: string | undefined): CredentialSource {
  return credential === undefined ? { kind: 'none' } : { kind: 'known', credential }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
