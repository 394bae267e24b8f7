// How one project behaves: the hosted platform's situations on order, how its users sign in, and how its structure differs.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  AuthSettingsChange,
  AuthSettingsState,
} from '../../emulator/contract/auth-settings.ts'
import type { SwitchState } from '../../emulator/contract/switches.ts'
import type { StructureDiff } from '../../emulator/contract/tables.ts'
import { getJson, patchJson, putJson } from './client.ts'

/** `project` is a slug in all of these. */
export function useSwitches(project: string): UseQueryResult<SwitchState> {
  return useQuery({
    queryKey: ['settings', project, 'switches'],
    queryFn: ({ signal }) => getJson<SwitchState>(`${path(project)}/switches`, { signal }),
  })
}

/** Exactly these are on from then on. @throws {ApiError} */
export function setSwitches(project: string, on: readonly string[]): Promise<SwitchState> {
  return putJson<SwitchState>(`${path(project)}/switches`, { on })
}

export function useAuthSettings(project: string): UseQueryResult<AuthSettingsState> {
  return useQuery({
    queryKey: ['settings', project, 'auth'],
    queryFn: ({ signal }) =>
      getJson<AuthSettingsState>(`${path(project)}/auth-settings`, { signal }),
  })
}

/** @throws {ApiError} */
export function changeAuthSettings(
  project: string,
  change: AuthSettingsChange,
): Promise<AuthSettingsState> {
  return patchJson<AuthSettingsState>(`${path(project)}/auth-settings`, change)
}

/** Idle until there is something to compare with. */
export function useStructureDiff(
  project: string,
  other: string | undefined,
): UseQueryResult<StructureDiff> {
  return useQuery({
    queryKey: ['settings', project, 'structure', other],
    enabled: other !== undefined,
    queryFn: ({ signal }) =>
      getJson<StructureDiff>(`${path(project)}/structure-diff`, { query: { with: other }, signal }),
  })
}

function path(project: string): string {
  return `/projects/${encodeURIComponent(project)}`
}
