// Converts the form's draft of a test channel to the order for a token and the join frame. Pure.
import type { IdentityReference } from '../../../../emulator/contract/identities.ts'
import type { RealtimeChannel } from '../../../../emulator/contract/realtime.ts'
import type { MintTokenRequest } from '../../../../emulator/contract/tokens.ts'
import type { JoinOrder } from '../../../api/realtime-frames.ts'
import { identityLabel } from '../../../parts/identity-text.ts'

export interface JoinDraft {
  readonly topic: string
  readonly isPrivate: boolean
  /** The table to subscribe to, or an empty text for no table. */
  readonly table: string
  readonly event: RealtimeChannel['bindings'][number]['event']
  /** Filter of the subscription in the form `column=op.value`. */
  readonly filter: string
  readonly isPresent: boolean
}

export const NEW_JOIN: JoinDraft = {
  topic: 'inspector',
  isPrivate: false,
  table: '',
  event: '*',
  filter: '',
  isPresent: false,
}

/** Realtime knows no owner. Like the owner, service_role bypasses policies. */
export function joiningIdentity(identity: IdentityReference | null): IdentityReference {
  return identity ?? { kind: 'service_role' }
}

/**
 * Builds the join. A private channel is named `<schema>:<name>`; this function adds the schema (docs/wire/realtime.md#private).
 */
export function joinOf(
  draft: JoinDraft,
  identity: IdentityReference,
  schemaName: string,
): JoinOrder {
  const topic = draft.topic.trim()
  const isNamed = topic.startsWith(`${schemaName}:`)
  return {
    topic: draft.isPrivate && !isNamed ? `${schemaName}:${topic}` : topic,
    isPrivate: draft.isPrivate,
    bindings:
      draft.table === ''
        ? []
        : [
            {
              event: draft.event,
              schema: schemaName,
              table: draft.table,
              filter: draft.filter.trim() === '' ? null : draft.filter.trim(),
            },
          ],
    presenceKey: draft.isPresent ? identityLabel(identity) : undefined,
    hearsItself: true,
  }
}

/**
 * Builds the order for the identity's realtime token. Returns `undefined` for the identity of a recorded request,
 * because recordings contain no tokens.
 */
export function tokenOrderOf(
  identity: IdentityReference,
  project: string,
): MintTokenRequest | undefined {
  const order = { project, kind: 'realtime_token' } as const
  switch (identity.kind) {
    case 'anon':
    case 'service_role':
      return { ...order, role: identity.kind }
    case 'user':
      return {
        ...order,
        role: 'authenticated',
        user: identity.user,
        ...(identity.claims === undefined ? {} : { claims: identity.claims }),
      }
    case 'claims':
      return claimedOrder(order, identity)
    case 'request':
      return undefined
  }
}

/** Claims that the user cannot set, because the emulator derives them from the rest of the order. */
const FIXED = [
  'role',
  'sdb_role',
  'origin_role',
  'project_id',
  'project_schema',
  'exp',
  'claims',
  'sub',
]

function claimedOrder(
  order: Pick<MintTokenRequest, 'project' | 'kind'>,
  { role, claims }: Extract<IdentityReference, { readonly kind: 'claims' }>,
): MintTokenRequest {
  const { sub } = claims
  const rest = Object.fromEntries(Object.entries(claims).filter(([name]) => !FIXED.includes(name)))
  const hasUser = role === 'authenticated' && typeof sub === 'string'
  return { ...order, role, ...(hasUser ? { user: sub } : {}), claims: rest }
}
