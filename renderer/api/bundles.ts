// Makes bundles, and shows the one that this emulator was opened from.
import type { UseQueryResult } from '@tanstack/react-query'
import type { BundleOrder, BundleState } from '../../emulator/contract/bundles.ts'
import { callWithFile } from './client.ts'
import { useOperation } from './use-operation.ts'

export interface BundleFile {
  readonly name: string
  readonly content: Blob
}

/** @throws {ApiError} */
export async function makeBundle(order: BundleOrder): Promise<BundleFile> {
  const response = await callWithFile(
    'POST /bundles',
    { body: order },
    { headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) },
  )
  const stated = response.headers.get('content-disposition') ?? ''
  const name = /filename="([^"]+)"/.exec(stated)?.[1] ?? 'bundle.tenantry'
  return { name, content: await response.blob() }
}

/** Loads the bundle that this emulator was opened from, which never changes. */
export function useOpenedBundle(): UseQueryResult<BundleState> {
  return useOperation('GET /bundles/opened', ['opened-bundle'], {}, { staleTime: Infinity })
}
