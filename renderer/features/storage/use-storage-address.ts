// Reads and changes the address of the storage screen.
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import { STORAGE_OWNER } from '../../api/storage-door.ts'
import { parseIdentityText } from '../../parts/identity-text.ts'
import { useChangeSearch } from '../../parts/search.ts'
import type { StorageSearch } from './storage-search.ts'

export interface StorageAddress {
  readonly tenant: string
  /** The bucket's short name. */
  readonly bucket: string | undefined
  readonly folder: string
  readonly object: string | undefined
  readonly identity: IdentityReference
  /** Whether the service key reads and writes, because no identity was chosen. */
  readonly isOwner: boolean
  readonly hasTiles: boolean
  /** Search parameters to keep when the user opens another bucket. */
  readonly kept: StorageSearch
  readonly openFolder: (folder: string) => void
  readonly openObject: (key: string | undefined) => void
  readonly showTiles: (hasTiles: boolean) => void
  readonly openBucket: (bucket: string | undefined) => void
}

export function useStorageAddress(): StorageAddress {
  const { tenant } = useParams({ from: '/t/$tenant/storage' })
  const { bucket } = useParams({ strict: false })
  const search = useSearch({ from: '/t/$tenant/storage' })
  const navigate = useNavigate()
  const change = useChangeSearch<StorageSearch>()
  const identity = parseIdentityText(search.as) ?? STORAGE_OWNER
  const kept = { as: search.as, look: search.look }
  return {
    tenant,
    bucket,
    folder: search.folder ?? '',
    object: search.object,
    identity,
    isOwner: identity.kind === 'service_role',
    hasTiles: search.look === 'tiles',
    kept,
    openFolder: useCallback(
      (folder) => change({ folder: folder === '' ? undefined : folder, object: undefined }),
      [change],
    ),
    openObject: useCallback((object) => change({ object }), [change]),
    showTiles: (hasTiles) => change({ look: hasTiles ? 'tiles' : undefined }),
    openBucket: (next) =>
      void (next === undefined
        ? navigate({ to: '/t/$tenant/storage', params: { tenant }, search: kept })
        : navigate({
            to: '/t/$tenant/storage/$bucket',
            params: { tenant, bucket: next },
            search: kept,
          })),
  }
}
