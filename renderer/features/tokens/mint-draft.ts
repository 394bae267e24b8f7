// Converts the form's draft of a credential to the order that mints the credential. Pure.
import type { Identity } from '../../../emulator/contract/identities.ts'
import type { MintTokenRequest } from '../../../emulator/contract/tokens.ts'
import type { FormReading } from '../../ui/form.tsx'
import { jsonObjectOf, membersOf, NOT_A_JSON_OBJECT } from '../../ui/form-values.ts'
import { PROBLEMS } from './texts.ts'

type MintKind = MintTokenRequest['kind']

/** `usual`: the default expiry of this kind of credential. `own`: an expiry that the user typed. */
type ExpiryName = 'usual' | 'minute' | 'hour' | 'day' | 'past' | 'own'

const EXPIRIES: Readonly<
  Record<ExpiryName, { readonly label: string; readonly seconds: number | undefined }>
> = {
  usual: { label: 'default', seconds: undefined },
  minute: { label: '1 minute', seconds: 60 },
  hour: { label: '1 hour', seconds: 3_600 },
  day: { label: '1 day', seconds: 86_400 },
  past: { label: 'already expired', seconds: -60 },
  own: { label: 'custom, in seconds', seconds: undefined },
}

export const EXPIRY_OPTIONS: readonly { readonly value: ExpiryName; readonly label: string }[] =
  membersOf(EXPIRIES).map((value) => ({ value, label: EXPIRIES[value].label }))

export interface MintDraft {
  /** The project's slug. */
  readonly project: string
  readonly kind: MintKind
  readonly role: Identity['role']
  /** User id or e-mail address. */
  readonly user: string
  /** A JSON object, or an empty text. */
  readonly claims: string
  readonly expiry: ExpiryName
  /** The expiry that the user typed, in seconds. Used with `own`. */
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

const FIELDS: Readonly<Record<MintKind, readonly ('role' | 'user')[]>> = {
  anon_key: [],
  service_role_key: [],
  data_plane_token: ['user'],
  storage_token: ['role', 'user'],
  realtime_token: ['role', 'user'],
}

/** Whether the form shows a field. Keys have a fixed role and no user. Only the role `authenticated` has a user. */
export function hasField({ kind, role }: MintDraft, field: 'role' | 'user'): boolean {
  const hasUser = kind === 'data_plane_token' || role === 'authenticated'
  return FIELDS[kind].includes(field) && (field === 'role' || hasUser)
}

export function readDraft(draft: MintDraft): FormReading<MintDraft, MintTokenRequest> {
  const claims = jsonObjectOf(draft.claims)
  const isOwnExpiry = draft.expiry === 'own'
  if (draft.project === '') return { kind: 'wrong', problems: { project: PROBLEMS.project } }
  if (claims === undefined) return { kind: 'wrong', problems: { claims: NOT_A_JSON_OBJECT } }
  if (isOwnExpiry && !/^-?\d{1,10}$/.test(draft.ownExpiry.trim()))
    return { kind: 'wrong', problems: { ownExpiry: PROBLEMS.ownExpiry } }
  const seconds = isOwnExpiry ? Number(draft.ownExpiry) : EXPIRIES[draft.expiry].seconds
  const user = draft.user.trim()
  return {
    kind: 'ready',
    order: {
      project: draft.project,
      kind: draft.kind,
      ...(hasField(draft, 'role') ? { role: draft.role } : {}),
      ...(hasField(draft, 'user') && user !== '' ? { user } : {}),
      ...(draft.claims.trim() === '' ? {} : { claims }),
      ...(seconds === undefined ? {} : { expires_in: seconds }),
    },
  }
}
