// How one project behaves: the hosted platform's situations on order, how its users sign in, and how its structure differs.
import { skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  AuthSettingsChange,
  AuthSettingsState,
} from '../../emulator/contract/auth-settings.ts'
import type { SwitchName, SwitchState } from '../../emulator/contract/switches.ts'
import type { StructureDiff } from '../../emulator/contract/tables.ts'
import { call } from './client.ts'

/** `project` is a slug in all of these. */
export function useSwitches(project: string): UseQueryResult<SwitchState> {
  return useQuery({
    queryKey: ['settings', project, 'switches'],
    queryFn: ({ signal }) =>
      call('GET /projects/:ref/switches', { params: { ref: project }, signal }),
  })
}

/** Exactly these are on from then on. @throws {ApiError} */
export function setSwitches(project: string, on: readonly SwitchName[]): Promise<SwitchState> {
  return call('PUT /projects/:ref/switches', { params: { ref: project }, body: { on } })
}

export function useAuthSettings(project: string): UseQueryResult<AuthSettingsState> {
  return useQuery({
    queryKey: ['settings', project, 'auth'],
    queryFn: ({ signal }) =>
      call('GET /projects/:ref/auth-settings', { params: { ref: project }, signal }),
  })
}

/** @throws {ApiError} */
export function changeAuthSettings(
  project: string,
  change: AuthSettingsChange,
): Promise<AuthSettingsState> {
  return call('PATCH /projects/:ref/auth-settings', { params: { ref: project }, body: change })
}

/** Idle until there is something to compare with. */
export function useStructureDiff(
  project: string,
  other: string | undefined,
): UseQueryResult<StructureDiff> {
  return useQuery({
    queryKey: ['settings', project, 'structure', other],
    queryFn:
      other === undefined
        ? skipToken
        : ({ signal }) =>
            call('GET /projects/:ref/structure-diff', {
              params: { ref: project },
              query: { with: other },
              signal,
            }),
  })
}
