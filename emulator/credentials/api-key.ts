// Opaque keys: Group API Keys and management keys. Kept as hashes; the clear text leaves once, when it is minted.
// Prefixes are the platform's (docs/wire/credentials.md#kinds).
import { createHash } from 'node:crypto'
import type { IdSource } from '../core/id-source.ts'
import type { GroupId, ProjectId } from '../core/names.ts'
import type { EpochMillis } from '../core/time.ts'

export const GROUP_KEY_PREFIX = 'sdb_gk_'
export const MANAGEMENT_KEY_PREFIX = 'sdb_pmk_'

/** Characters of the clear text that lists may show, prefix included. */
const SHOWN_LENGTH = 14

export interface MintedApiKey {
  /** Clear text, for the caller's eyes only. */
  readonly clearText: string
  /** What is stored and looked up. */
  readonly hash: string
  /** What lists show. */
  readonly shownPrefix: string
}

/** What verification needs of the key store. Revoked keys are not found. */
export interface ApiKeyLookup {
  findGroupKey(hash: string): { readonly keyId: string; readonly groupId: GroupId } | undefined
  findManagementKey(hash: string):
    | {
        readonly keyId: string
        readonly projectId: ProjectId
        readonly expiresAt: EpochMillis | undefined
      }
    | undefined
}

export function mintApiKey(ids: IdSource, prefix: string): MintedApiKey {
  return apiKeyOf(ids.secret(prefix))
}

/** Prepares a clear text for keeping: its hash and what lists show of it. */
export function apiKeyOf(clearText: string): MintedApiKey {
  return { clearText, hash: hashApiKey(clearText), shownPrefix: clearText.slice(0, SHOWN_LENGTH) }
}

/** SHA-256 in hex: the keys carry 256 random bits, so nothing slower is needed. */
export function hashApiKey(clearText: string): string {
  return createHash('sha256').update(clearText).digest('hex')
}
