// This file holds all texts of the tokens screen, so that you can review them together. Pure.
import type { MintTokenRequest, TokenExplanation } from '../../../emulator/contract/tokens.ts'

type TokenKind = TokenExplanation['kind']

export const TOKEN_KINDS: Readonly<Record<TokenKind, string>> = {
  anon_key: 'anon key',
  service_role_key: 'service_role key',
  data_plane_token: 'data plane token',
  session_token: 'session token',
  storage_token: 'storage token',
  realtime_token: 'realtime token',
  group_api_key: 'Group API Key',
  management_key: 'management key',
  signed_url_token: 'signed URL token',
  platform_session: 'dashboard session',
  admin_token: 'admin token',
  unknown: 'unknown credential',
}

export const MINT_KINDS: Readonly<Record<MintTokenRequest['kind'], string>> = {
  data_plane_token: TOKEN_KINDS.data_plane_token,
  storage_token: TOKEN_KINDS.storage_token,
  realtime_token: TOKEN_KINDS.realtime_token,
  anon_key: TOKEN_KINDS.anon_key,
  service_role_key: TOKEN_KINDS.service_role_key,
}

export const SERVICES: Readonly<Record<TokenExplanation['services'][number]['service'], string>> = {
  rest: 'Data (REST)',
  auth: 'Auth',
  storage: 'Storage',
  realtime: 'Realtime',
  groups: 'Groups',
  platform: 'Platform',
}

export const SIGNATURES: Readonly<
  Record<TokenExplanation['signature'], { readonly word: string; readonly isValid: boolean | null }>
> = {
  valid: { word: 'signature valid', isValid: true },
  invalid: { word: 'signature invalid', isValid: false },
  unknown_key: { word: 'signed with an unknown key', isValid: false },
  not_signed: { word: 'not signed', isValid: null },
}

export const EMPTY = {
  report: {
    title: 'No credential to explain',
    detail: 'Paste a key or token, choose a request, or mint a new credential.',
  },
  claims: 'This credential has no readable claims.',
  recordedClaims: 'No claims: the request carried no token, or its recording was deleted.',
} as const

export const PROBLEMS = {
  project: 'Choose a project.',
  ownExpiry: 'Enter whole seconds. A negative number mints an expired credential.',
  ownCredential: 'Can’t mint: this credential is known only to its holder.',
} as const

export const REVOKE = {
  keys: 'Applications with the old keys stop working until you give them the new keys.',
  signOut: 'Data plane tokens that are already issued stay valid for up to 1 hour.',
} as const

export function keysEffectText(slug: string): string {
  return `After you regenerate the keys, services refuse every earlier key and token of ${slug}.`
}
