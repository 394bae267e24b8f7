// Mints opaque keys: Group API Keys and management keys. The emulator stores only hashes of keys. The clear text is returned
// once, when the key is minted. The prefixes are those of the hosted platform (docs/wire/credentials.md#kinds).
import { createHash } from 'node:crypto'
import type { IdSource } from '../../core/id-source.ts'
import type { GroupId, ProjectId } from '../../core/names.ts'
import type { EpochMillis } from '../../core/time.ts'

export const GROUP_KEY_PREFIX = 'sdb_gk_'
export const MANAGEMENT_KEY_PREFIX = 'sdb_pmk_'

/** Number of characters of the clear text that lists may show, prefix included. */
const SHOWN_LENGTH = 14

export interface MintedApiKey {
  /** The clear text, for the response that creates the key. */
  readonly clearText: string
  /** The hash, by which the key is stored and found. */
  readonly hash: string
  /** First characters of the clear text, for lists. */
  readonly shownPrefix: string
}

/** Finds keys by hash. Never returns revoked keys. */
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

/** Derives the hash and the shown prefix from a clear text. */
export function apiKeyOf(clearText: string): MintedApiKey {
  return { clearText, hash: hashApiKey(clearText), shownPrefix: clearText.slice(0, SHOWN_LENGTH) }
}

/** SHA-256 in hex. A slow hash is unnecessary, because the keys have 256 random bits. */
export function hashApiKey(clearText: string): string {
  return createHash('sha256').update(clearText).digest('hex')
}
