// Data of the running emulator that every screen needs: addresses, keys, groups and projects.
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReadyLine } from '../../emulator/contract/addresses.ts'
import type { PlatformOverview } from '../../emulator/contract/overview.ts'
import { type ProjectChoice, projectsOf } from './projects.ts'
import { useOperation } from './use-operation.ts'

/** Loads the addresses and keys of the emulator, including secrets. */
export function useInfo(): UseQueryResult<ReadyLine> {
  return useOperation('GET /info', ['info'], {})
}

/**
 * Loads groups, tenants, templates and service health. @param everyMillis wall-clock milliseconds between refreshes; no
 * refresh when absent
 */
export function useOverview(everyMillis?: number): UseQueryResult<PlatformOverview> {
  return useOperation('GET /overview', ['overview'], {}, { refetchInterval: everyMillis ?? false })
}

export interface Projects {
  readonly data: readonly ProjectChoice[] | undefined
  /** Whether the list is complete. A project that is missing from an incomplete list may exist. */
  readonly isWhole: boolean
}

/**
 * All projects that screens can show, tenants first. Tenants come from GET /info, so tenants load even when GET
 * /overview fails.
 */
export function useProjects(): Projects {
  const { data: info } = useInfo()
  const { data: overview } = useOverview()
  const data = useMemo(
    () => (info === undefined ? undefined : projectsOf(info, overview)),
    [info, overview],
  )
  return { data, isWhole: data !== undefined && overview !== undefined }
}
