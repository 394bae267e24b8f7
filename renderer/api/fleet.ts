// Loads the fleet of a group: its tenants with their template versions and migration steps. Rehearses and applies pending steps.
import type { UseQueryResult } from '@tanstack/react-query'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Fleet, FleetDrift } from '../../emulator/contract/fleet.ts'
import type { MigrationReport } from '../../emulator/contract/migrations.ts'
import type { LastRehearsals, RehearsalReport } from '../../emulator/contract/rehearsals.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

/** Loads the fleet of a group. The query loads nothing while `group` is undefined. */
export function useFleet(group: string | undefined): UseQueryResult<Fleet> {
  return useOperation(
    'GET /groups/:group/fleet',
    ['fleet', group],
    group === undefined ? undefined : { params: { group } },
  )
}

/**
 * Reads users, sizes and structures of the projects that may have changed, a few projects at a time. Reloads the fleet after
 * each part. Returns the number of tenants that have not been read.
 */
export function useFleetSurvey({ data, dataUpdatedAt }: UseQueryResult<Fleet>): number {
  const queries = useQueryClient()
  const group = data?.group.id ?? ''
  const unread = data?.unread ?? 0
  const { isError } = useQuery({
    // Each reload of the fleet changes this key. While the fleet has unread tenants, the new key starts the next survey.
    queryKey: ['fleet-survey', group, dataUpdatedAt],
    enabled: unread > 0,
    queryFn: async ({ signal }) => {
      const answer = await call('POST /groups/:group/fleet/survey', { params: { group }, signal })
      void queries.invalidateQueries({ queryKey: ['fleet', group], exact: true })
      return answer
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    gcTime: 0,
  })
  return isError ? 0 : unread
}

/** Loads the results of the last rehearsals of the present steps. */
export function useLastRehearsals(group: string): UseQueryResult<LastRehearsals> {
  return useOperation('GET /groups/:group/migrations/rehearsals', ['fleet', group, 'rehearsals'], {
    params: { group },
  })
}

/** Compares the structure of the template, a version or a tenant with the structure that its steps build. */
export function useDrift(group: string, slug: string): UseQueryResult<FleetDrift> {
  return useOperation('GET /groups/:group/fleet/:slug/drift', ['fleet', group, 'drift', slug], {
    params: { group, slug },
    // Destructive statements are included, because the change sheet names what they destroy before it applies them.
    query: { allow_destructive: 'true' },
  })
}

export interface ApplyOrder {
  /** Slugs of the tenants that get the steps after the template. */
  readonly tenants: readonly string[]
  readonly publish: boolean
  /** Slugs of the tenants that get the steps before the others. When one of them fails, the other tenants are skipped. */
  readonly canary: readonly string[]
  readonly onFailure: 'continue' | 'stop'
}

/** Applies the steps that the emulator was given last. @throws {ApiError} */
export function applySteps(group: string, order: ApplyOrder): Promise<MigrationReport> {
  const { canary, onFailure, publish, tenants } = order
  return call('POST /groups/:group/migrations/apply', {
    params: { group },
    body: { tenants: [...tenants], canary: [...canary], publish, on_failure: onFailure },
  })
}

/** Runs the steps that the emulator was given last, and rolls them back. @throws {ApiError} */
export function rehearseSteps(group: string, tenants: readonly string[]): Promise<RehearsalReport> {
  return call('POST /groups/:group/migrations/rehearse', {
    params: { group },
    body: { tenants: [...tenants] },
  })
}
