// Explains, mints and revokes credentials.
import type { UseQueryResult } from '@tanstack/react-query'
import type {
  MintedToken,
  MintTokenRequest,
  TokenExplanation,
} from '../../emulator/contract/tokens.ts'
import { call, platformJson } from './client.ts'
import { useOperation } from './use-operation.ts'

/**
 * Explains a token, unless the text is empty. No URL contains the token. The cache drops the token when the screen
 * closes.
 */
export function useTokenExplanation(token: string): UseQueryResult<TokenExplanation> {
  return useOperation(
    'POST /tokens/explain',
    ['tokens', 'explain', token],
    { body: { token } },
    { enabled: token !== '', gcTime: 0 },
  )
}

/** @throws {ApiError} */
export function mintToken(order: MintTokenRequest): Promise<MintedToken> {
  return call('POST /tokens/mint', { body: order })
}

export interface RegeneratedKeys {
  readonly anon_key: string
  readonly service_role_key: string
}

/** Replaces a project's keys. The platform then refuses every token signed with the old keys. @throws {ApiError} */
export function regenerateKeys(session: string, projectId: string): Promise<RegeneratedKeys> {
  const url = `/platform/v1/projects/${encodeURIComponent(projectId)}/keys/regenerate`
  return platformJson<RegeneratedKeys>(url, { method: 'POST', credential: session })
}

/** Ends every session of the user that an access token belongs to. @throws {ApiError} */
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
