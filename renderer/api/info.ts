// Data of the running emulator that every screen needs: addresses, keys, groups and projects.
import type { UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ReadyLine } from '../../emulator/contract/addresses.ts'
import type { PlatformOverview, ProjectList } from '../../emulator/contract/overview.ts'
import { type ProjectChoice, projectsOf } from './projects.ts'
import { useOperation } from './use-operation.ts'

/** Loads the addresses and keys of the emulator, including secrets. */
export function useInfo(): UseQueryResult<ReadyLine> {
  return useOperation('GET /info', ['info'], {})
}

/**
 * Wall-clock milliseconds until the next request while sizes are missing. The emulator measures a few more sizes for each
 * answer.
 */
const NEXT_SIZES_MILLIS = 50

/** Loads groups, tenants and templates with their sizes, and service health. Loads again while sizes are missing. */
export function useOverview(): UseQueryResult<PlatformOverview> {
  return useOperation(
    'GET /overview',
    ['overview'],
    {},
    {
      refetchInterval: ({ state }) => ((state.data?.unread ?? 0) > 0 ? NEXT_SIZES_MILLIS : false),
    },
  )
}

/** Key of the query for the project list, which all screens use. */
export const PROJECT_LIST = ['info', 'projects'] as const

/** Loads the names of groups and projects, removed tenants included. */
export function useProjectList(): UseQueryResult<ProjectList> {
  return useOperation('GET /projects', PROJECT_LIST, {})
}

/** All projects that screens can show, tenants first. The data is `undefined` until the list is loaded. */
export function useProjects(): { readonly data: readonly ProjectChoice[] | undefined } {
  const { data: list } = useProjectList()
  return { data: useMemo(() => list && projectsOf(list), [list]) }
}
