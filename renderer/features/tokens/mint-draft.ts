// The form that mints a credential: what it holds, and the order it makes of it. Pure.
import type { MintTokenRequest } from '../../../emulator/contract/tokens.ts'

export const MINT_KINDS = [
  'data_plane_token',
  'storage_token',
  'realtime_token',
  'anon_key',
  'service_role_key',
] as const satisfies readonly MintTokenRequest['kind'][]
export type MintKind = (typeof MINT_KINDS)[number]
export const MINT_ROLES = ['authenticated', 'anon', 'service_role'] as const
export type MintRole = (typeof MINT_ROLES)[number]

/** Lifetimes offered, in seconds; `own` is typed, `usual` the kind's own. */
export const EXPIRIES = [
  { id: 'usual', label: 'as usual', seconds: undefined },
  { id: 'minute', label: '1 minute', seconds: 60 },
  { id: 'hour', label: '1 hour', seconds: 3_600 },
  { id: 'day', label: '1 day', seconds: 86_400 },
  { id: 'past', label: 'already past', seconds: -60 },
  { id: 'own', label: 'in seconds…', seconds: undefined },
] as const
export type ExpiryId = (typeof EXPIRIES)[number]['id']

export interface MintDraft {
  readonly project: string
  readonly kind: MintKind
  readonly role: MintRole
  /** Id or e-mail address. */
  readonly user: string
  /** JSON object, or nothing. */
  readonly claims: string
  readonly expiry: ExpiryId
  /** Seconds, with `own`. */
  readonly ownExpiry: string
}

export const NEW_DRAFT: MintDraft = {
  project: '',
  kind: 'data_plane_token',
  role: 'authenticated',
  user: '',
  claims: '',
  expiry: 'usual',
  ownExpiry: '600',
}

export type MintOrder =
  | { readonly kind: 'ready'; readonly order: MintTokenRequest }
  | { readonly kind: 'wrong'; readonly field: keyof MintDraft; readonly problem: string }

/** Keys are of one role and nobody's; a data plane token is always a person's. */
export function fieldsOf(kind: MintKind): {
  readonly role: boolean
  readonly user: (role: MintRole) => boolean
} {
  if (kind === 'anon_key' || kind === 'service_role_key') return { role: false, user: () => false }
  if (kind === 'data_plane_token') return { role: false, user: () => true }
  return { role: true, user: (role) => role === 'authenticated' }
}

export function orderOf(draft: MintDraft): MintOrder {
  if (draft.project === '') return wrong('project', 'Choose a project.')
  const claims = readClaims(draft.claims)
  if (typeof claims === 'string') return wrong('claims', claims)
  const seconds = expiresIn(draft)
  if (seconds === 'wrong') return wrong('ownExpiry', 'Whole seconds; below zero is already past.')
  const fields = fieldsOf(draft.kind)
  const user = draft.user.trim()
  return {
    kind: 'ready',
    order: {
      project: draft.project,
      kind: draft.kind,
      ...(fields.role ? { role: draft.role } : {}),
      ...(fields.user(draft.role) && user !== '' ? { user } : {}),
      ...(claims === undefined ? {} : { claims }),
      ...(seconds === undefined ? {} : { expires_in: seconds }),
    },
  }
}

function readClaims(text: string): Readonly<Record<string, unknown>> | undefined | string {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Readonly<Record<string, unknown>>
    return 'Claims are a JSON object.'
  } catch {
    return 'This is not JSON.'
  }
}

function expiresIn({ expiry, ownExpiry }: MintDraft): number | undefined | 'wrong' {
  if (expiry !== 'own') return EXPIRIES.find(({ id }) => id === expiry)?.seconds
  return /^-?\d{1,10}$/.test(ownExpiry.trim()) ? Number(ownExpiry) : 'wrong'
}

function wrong(field: keyof MintDraft, problem: string): MintOrder {
  return { kind: 'wrong', field, problem }
}
