// Credentials: what one is and may do, minting any, and taking them back.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type {
  MintedToken,
  MintTokenRequest,
  TokenExplanation,
} from '../../emulator/contract/tokens.ts'
import { call, platformJson } from './client.ts'

/** Idle while there is nothing to explain. The credential is part of no address and kept no longer than it shows. */
export function useTokenExplanation(token: string): UseQueryResult<TokenExplanation> {
  return useQuery({
    queryKey: ['tokens', 'explain', token],
    enabled: token !== '',
    gcTime: 0,
    queryFn: ({ signal }) => call('POST /tokens/explain', { body: { token }, signal }),
  })
}

/** @throws {ApiError} */
export function mintToken(order: MintTokenRequest): Promise<MintedToken> {
  return call('POST /tokens/mint', { body: order })
}

export interface RegeneratedKeys {
  readonly anon_key: string
  readonly service_role_key: string
}

/** New keys of a project: every token of the old ones is refused from now on. @throws {ApiError} */
export function regenerateKeys(session: string, projectId: string): Promise<RegeneratedKeys> {
  const url = `/platform/v1/projects/${encodeURIComponent(projectId)}/keys/regenerate`
  return platformJson<RegeneratedKeys>(url, { method: 'POST', credential: session })
}

/** Ends every session of the user behind an access token. @throws {ApiError} */
export async function signOutEverywhere(
  authUrl: string,
  project: string,
  accessToken: string,
): Promise<void> {
  await platformJson(`${authUrl}/auth/v1/signout`, {
    method: 'POST',
    credential: accessToken,
    headers: { 'x-superdb-project': project },
    body: { scope: 'global' },
  })
}
