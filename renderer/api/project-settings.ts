// Settings of one project: simulated situations of the hosted platform, sign-in settings, and structure differences.
import type { UseQueryResult } from '@tanstack/react-query'
import type {
  AuthSettingsChange,
  AuthSettingsState,
} from '../../emulator/contract/auth-settings.ts'
import type { SwitchName, SwitchState } from '../../emulator/contract/switches.ts'
import type { StructureDiff } from '../../emulator/contract/tables.ts'
import { call } from './client.ts'
import { useOperation } from './use-operation.ts'

/** In this file, `project` is always a slug. */
export function useSwitches(project: string): UseQueryResult<SwitchState> {
  return useOperation('GET /projects/:ref/switches', ['settings', project, 'switches'], {
    params: { ref: project },
  })
}

/** Turns on the switches in `on` and turns off all others. @throws {ApiError} */
export function setSwitches(project: string, on: readonly SwitchName[]): Promise<SwitchState> {
  return call('PUT /projects/:ref/switches', { params: { ref: project }, body: { on } })
}

export function useAuthSettings(project: string): UseQueryResult<AuthSettingsState> {
  return useOperation('GET /projects/:ref/auth-settings', ['settings', project, 'auth'], {
    params: { ref: project },
  })
}

/** @throws {ApiError} */
export function changeAuthSettings(
  project: string,
  change: AuthSettingsChange,
): Promise<AuthSettingsState> {
  return call('PATCH /projects/:ref/auth-settings', { params: { ref: project }, body: change })
}

/** Compares the structures of two projects. The query loads nothing while `other` is undefined. */
export function useStructureDiff(
  project: string,
  other: string | undefined,
): UseQueryResult<StructureDiff> {
  return useOperation(
    'GET /projects/:ref/structure-diff',
    ['settings', project, 'structure', other],
    other === undefined ? undefined : { params: { ref: project }, query: { with: other } },
  )
}
