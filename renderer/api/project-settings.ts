// Settings of one project: simulated situations of the hosted platform, sign-in settings, and its structure diff.
import { skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  AuthSettingsChange,
  AuthSettingsState,
} from '../../emulator/contract/auth-settings.ts'
import type { SwitchName, SwitchState } from '../../emulator/contract/switches.ts'
import type { StructureDiff } from '../../emulator/contract/tables.ts'
import { call } from './client.ts'

/** `project` is a slug in all functions of this file. */
export function useSwitches(project: string): UseQueryResult<SwitchState> {
  return useQuery({
    queryKey: ['settings', project, 'switches'],
    queryFn: ({ signal }) =>
      call('GET /projects/:ref/switches', { params: { ref: project }, signal }),
  })
}

/** Turns exactly these switches on and all others off. @throws {ApiError} */
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

/** Idle until another project is chosen. */
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
