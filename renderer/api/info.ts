// What every screen needs to know of the running emulator: addresses, keys, groups and projects.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReadyLine } from '../../emulator/contract/addresses.ts'
import type { PlatformOverview } from '../../emulator/contract/overview.ts'
import { ApiError, getJson } from './client.ts'
import { type ProjectChoice, projectsOf } from './projects.ts'

/** Addresses and keys, secrets included. */
export function useInfo(): UseQueryResult<ReadyLine> {
  return useQuery({
    queryKey: ['info'],
    queryFn: ({ signal }) => getJson<ReadyLine>('/info', { signal }),
  })
}

/** Groups, tenants, templates, and how the services are; also read again every so many wall milliseconds, if told. */
export function useOverview(everyMillis?: number): UseQueryResult<PlatformOverview> {
  return useQuery({
    queryKey: ['overview'],
    refetchInterval: everyMillis ?? false,
    queryFn: ({ signal }) => getJson<PlatformOverview>('/overview', { signal }),
  })
}

/** Every project a screen can be about, tenants first. */
export function useProjects(): UseQueryResult<readonly ProjectChoice[]> {
  return useQuery({ queryKey: ['projects'], queryFn: ({ signal }) => loadProjects(signal) })
}

async function loadProjects(signal: AbortSignal): Promise<readonly ProjectChoice[]> {
  const info = await getJson<ReadyLine>('/info', { signal })
  try {
    return projectsOf(info, await getJson<PlatformOverview>('/overview', { signal }))
  } catch (error) {
    if (error instanceof ApiError && error.status >= 400) return projectsOf(info, undefined)
    throw error
  }
}
