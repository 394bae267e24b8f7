// This file holds all texts of the timeline of the clock screen, so that you can review them together. Pure.
import type { Expiry } from '../../../emulator/contract/clock.ts'
import { countOf } from '../../ui/form-values.ts'

export const KINDS: Readonly<Record<Expiry['kind'], string>> = {
  dashboard_session: 'Dashboard session',
  access_token: 'Access token',
  data_plane_token: 'Data-plane token',
  project_key: 'Project key',
  storage_token: 'Storage token',
  realtime_token: 'Realtime token',
  signed_url: 'Signed URL',
  one_time_code: 'Code or link',
  sign_in: 'Sign-in in progress',
  ban: 'Ban of a user',
  resumable_upload: 'Unfinished upload',
}

export const EMPTY = {
  title: 'Nothing expires',
  detail: 'Tokens, codes, links and signed URLs appear here when the platform issues them.',
} as const

/** `3 of 12 expire`. */
export function expireText(due: number, total: number): string {
  if (total === 0) return 'Nothing expires.'
  return `${due} of ${countOf(total, 'entry', 'entries')} would expire.`
}
