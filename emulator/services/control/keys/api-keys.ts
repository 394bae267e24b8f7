// Stores Group API Keys and management keys as a hash, a visible prefix and a label. Revoking a key deletes it
// (docs/wire/platform.md#group-keys).
import type { Clock } from '../../../core/clock.ts'
import type { IdSource } from '../../../core/id-source.ts'
import { type GroupId, type ProjectId, trusted } from '../../../core/names.ts'
import { type EpochMillis, epochMillis } from '../../../core/time.ts'
import type { SystemDb } from '../../../database/system-db/system-db.ts'
import {
  type ApiKeyLookup,
  GROUP_KEY_PREFIX,
  MANAGEMENT_KEY_PREFIX,
  type MintedApiKey,
  mintApiKey,
} from '../../../platform/credentials/api-key.ts'

/** Label of the keys that the emulator keeps for its own developer account. */
const LOCAL_LABEL = 'local'

/** A stored key with the data that lists show. */
export interface KeptKey {
  readonly id: string
  readonly shownPrefix: string
  readonly label: string | undefined
  readonly createdAt: EpochMillis
  /** Group API Keys never expire. */
  readonly expiresAt: EpochMillis | undefined
}

/** A new key with its clear text, which is not stored. */
export interface NewKey extends KeptKey {
  readonly clearText: string
}

export interface ApiKeyStore extends ApiKeyLookup {
  mintGroupKey(groupId: GroupId, label: string | undefined): NewKey
  /** Stores a key that the emulator can derive again, and returns its clear text. Safe to repeat. */
  keepGroupKey(groupId: GroupId, key: MintedApiKey): string
  /** Newest first. */
  listGroupKeys(groupId: GroupId): readonly KeptKey[]
  /** Returns false when the group has no such key. */
  revokeGroupKey(groupId: GroupId, keyId: string): boolean
  mintManagementKey(
    projectId: ProjectId,
    label: string | undefined,
    expiresAt: EpochMillis | undefined,
  ): NewKey
  /** Like `keepGroupKey`, for a management key. */
  keepManagementKey(projectId: ProjectId, key: MintedApiKey): string
  /** Lists all keys, including expired ones, newest first. */
  listManagementKeys(projectId: ProjectId): readonly KeptKey[]
  revokeManagementKey(projectId: ProjectId, keyId: string): boolean
  revokeAllManagementKeys(projectId: ProjectId): void
}

interface KeyRow {
  readonly id: string
  readonly shown_prefix: string
  readonly label: string | null
  readonly created_at: number
  readonly expires_at: number | null
}

export function createApiKeyStore(
  db: SystemDb,
  { ids, clock }: { readonly ids: IdSource; readonly clock: Clock },
): ApiKeyStore {
  const deps = { queries: prepareQueries(db), ids, clock }
  return { ...groupKeys(deps), ...managementKeys(deps) }
}

interface KeyDeps {
  readonly queries: ReturnType<typeof prepareQueries>
  readonly ids: IdSource
  readonly clock: Clock
}

type GroupKeys = Pick<
  ApiKeyStore,
  'findGroupKey' | 'mintGroupKey' | 'keepGroupKey' | 'listGroupKeys' | 'revokeGroupKey'
>

function groupKeys({ queries, ids, clock }: KeyDeps): GroupKeys {
  return {
    findGroupKey: (hash) => {
      const row = queries.findGroupKey.get(hash)
      return row && { keyId: row.id, groupId: trusted.groupId(row.group_id) }
    },
    mintGroupKey: (groupId, label) => {
      const { hash, ...key } = mint({ ids, clock }, GROUP_KEY_PREFIX, label, undefined)
      queries.addGroupKey.run(key.id, groupId, hash, key.shownPrefix, label ?? null, key.createdAt)
      return key
    },
    keepGroupKey: (groupId, { clearText, hash, shownPrefix }) => {
      if (queries.findGroupKey.get(hash) === undefined)
        queries.addGroupKey.run(
          ids.id('key_'),
          groupId,
          hash,
          shownPrefix,
          LOCAL_LABEL,
          clock.now(),
        )
      return clearText
    },
    listGroupKeys: (groupId) => queries.groupKeys.all(groupId).map(keyOf),
    revokeGroupKey: (groupId, keyId) => queries.revokeGroupKey.run(groupId, keyId) > 0,
  }
}

function managementKeys({ queries, ids, clock }: KeyDeps): Omit<ApiKeyStore, keyof GroupKeys> {
  return {
    findManagementKey: (hash) => {
      const row = queries.findManagementKey.get(hash)
      return (
        row && {
          keyId: row.id,
          projectId: trusted.projectId(row.project_id),
          expiresAt: row.expires_at === null ? undefined : epochMillis(row.expires_at),
        }
      )
    },
    mintManagementKey: (projectId, label, expiresAt) => {
      const { hash, ...key } = mint({ ids, clock }, MANAGEMENT_KEY_PREFIX, label, expiresAt)
      queries.addManagementKey.run(
        key.id,
        projectId,
        hash,
        key.shownPrefix,
        label ?? null,
        key.createdAt,
        expiresAt ?? null,
      )
      return key
    },
    keepManagementKey: (projectId, { clearText, hash, shownPrefix }) => {
      if (queries.findManagementKey.get(hash) === undefined) {
        const id = ids.id('key_')
        queries.addManagementKey.run(
          id,
          projectId,
          hash,
          shownPrefix,
          LOCAL_LABEL,
          clock.now(),
          null,
        )
      }
      return clearText
    },
    listManagementKeys: (projectId) => queries.managementKeys.all(projectId).map(keyOf),
    revokeManagementKey: (projectId, keyId) =>
      queries.revokeManagementKey.run(projectId, keyId) > 0,
    revokeAllManagementKeys: (projectId) => {
      queries.revokeAll.run(projectId)
    },
  }
}

function mint(
  { ids, clock }: Pick<KeyDeps, 'ids' | 'clock'>,
  prefix: string,
  label: string | undefined,
  expiresAt: EpochMillis | undefined,
): NewKey & { readonly hash: string } {
  const { clearText, hash, shownPrefix } = mintApiKey(ids, prefix)
  const id = ids.id('key_')
  return { id, clearText, hash, shownPrefix, label, expiresAt, createdAt: clock.now() }
}

function prepareQueries(db: SystemDb) {
  return {
    findGroupKey: db.prepare<[string], { id: string; group_id: string }>(
      'select id, group_id from group_keys where hash = ?',
    ),
    findManagementKey: db.prepare<
      [string],
      { id: string; project_id: string; expires_at: number | null }
    >('select id, project_id, expires_at from management_keys where hash = ?'),
    addGroupKey: db.prepare<[string, string, string, string, string | null, number]>(
      `insert into group_keys (id, group_id, hash, shown_prefix, label, created_at)
       values (?, ?, ?, ?, ?, ?)`,
    ),
    groupKeys: db.prepare<[string], KeyRow>(
      `select id, shown_prefix, label, created_at, null as expires_at
       from group_keys where group_id = ? order by seq desc`,
    ),
    revokeGroupKey: db.prepare<[string, string]>(
      'delete from group_keys where group_id = ? and id = ?',
    ),
    addManagementKey: db.prepare<
      [string, string, string, string, string | null, number, number | null]
    >(
      `insert into management_keys
         (id, project_id, hash, shown_prefix, label, created_at, expires_at)
       values (?, ?, ?, ?, ?, ?, ?)`,
    ),
    managementKeys: db.prepare<[string], KeyRow>(
      `select id, shown_prefix, label, created_at, expires_at
       from management_keys where project_id = ? order by seq desc`,
    ),
    revokeManagementKey: db.prepare<[string, string]>(
      'delete from management_keys where project_id = ? and id = ?',
    ),
    revokeAll: db.prepare<[string]>('delete from management_keys where project_id = ?'),
  }
}

function keyOf(row: KeyRow): KeptKey {
  return {
    id: row.id,
    shownPrefix: row.shown_prefix,
    label: row.label ?? undefined,
    createdAt: epochMillis(row.created_at),
    expiresAt: row.expires_at === null ? undefined : epochMillis(row.expires_at),
  }
}
