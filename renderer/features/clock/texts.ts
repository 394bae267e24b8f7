// This file holds all texts of the timeline of the clock screen, so that you can review them together. Pure.
import type { Expiry, ExpiryReceipt } from '../../../emulator/contract/clock.ts'
import { PURPOSES } from '../../parts/message-purposes.ts'
import { countOf } from '../../ui/form-values.ts'

export const KINDS: Readonly<Record<Expiry['kind'], string>> = {
  dashboard_session: 'Dashboard session',
  access_token: 'Access token',
  data_plane_token: 'Data plane token',
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

const DETAILS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...PURPOSES, mfa: 'second factor', recovery: PURPOSES.password_reset }),
)

/** The detail of an entry in words. Only codes and links have the name of a purpose as their detail. */
export function detailText({ detail, kind }: Pick<Expiry, 'detail' | 'kind'>): string | undefined {
  if (detail === null) return undefined
  return kind === 'one_time_code' ? (DETAILS.get(detail) ?? detail) : detail
}

/** `3 of 12 expire`. */
export function expireText(due: number, total: number): string {
  if (total === 0) return 'Nothing expires.'
  return `${due} of ${countOf(total, 'entry', 'entries')} would expire.`
}

const PLURALS: Readonly<Record<Expiry['kind'], string>> = {
  dashboard_session: 'dashboard sessions',
  access_token: 'access tokens',
  data_plane_token: 'data plane tokens',
  project_key: 'project keys',
  storage_token: 'storage tokens',
  realtime_token: 'realtime tokens',
  signed_url: 'signed URLs',
  one_time_code: 'codes or links',
  sign_in: 'sign-ins in progress',
  ban: 'bans',
  resumable_upload: 'unfinished uploads',
}

/** Names each entry: `data plane token of ana@patients.test, 3 storage tokens of anon`. */
export function namesOf({ expired }: Pick<ExpiryReceipt, 'expired'>): string {
  const groups = Map.groupBy(expired, ({ detail, kind, subject }) =>
    JSON.stringify([kind, subject ?? detail]),
  )
  return [...groups.values()].map((group) => nameOf(group)).join(', ')
}

function nameOf(group: readonly Expiry[]): string {
  const [first] = group
  if (first === undefined) return ''
  const { kind, subject } = first
  const count = group.reduce((sum, one) => sum + one.count, 0)
  const word = KINDS[kind].replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
  const whose = subject ?? detailText(first) ?? null
  return `${count === 1 ? word : `${count} ${PLURALS[kind]}`}${whose === null ? '' : ` of ${whose}`}`
}
