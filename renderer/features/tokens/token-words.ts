// Kinds of credential and of verdicts about them, in words. Pure.
import type { TokenExplanation } from '../../../emulator/contract/tokens.ts'

export const TOKEN_KIND_WORDS: Readonly<Record<TokenExplanation['kind'], string>> = {
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

export const SERVICE_WORDS: Readonly<
  Record<TokenExplanation['services'][number]['service'], string>
> = {
  rest: 'Data (REST)',
  auth: 'Auth',
  storage: 'Storage',
  realtime: 'Realtime',
  groups: 'Groups',
  platform: 'Platform',
}

export const SIGNATURE_WORDS: Readonly<
  Record<TokenExplanation['signature'], { readonly word: string; readonly holds: boolean | null }>
> = {
  valid: { word: 'signature valid', holds: true },
  invalid: { word: 'signature invalid', holds: false },
  unknown_key: { word: 'signed by an unknown key', holds: false },
  not_signed: { word: 'not signed', holds: null },
}

/** The credential in what was pasted: without `Bearer`, header names, quotes and line breaks. */
export function pastedCredential(text: string): string {
  return text
    .trim()
    .replace(/^(?:authorization|apikey)\s*:\s*/i, '')
    .replace(/^bearer\s+/i, '')
    .replace(/^["'`]+|["'`,;]+$/g, '')
    .replace(/\s+/g, '')
}
