// The options of the identity picker: the owner, the keys, the project's users, and identities of recent requests. Pure.
import type { IdentityChoices, IdentityReference } from '../../emulator/contract/identities.ts'
import type { JournalEntry } from '../../emulator/contract/journal.ts'
import { identityLabel, identityText, parseIdentityText } from './identity-text.ts'

/** The picker's value for the owner, whom policies don't restrict. */
export const OWNER = 'owner'

export type IdentityKind = 'owner' | 'anon' | 'service_role' | 'user' | 'request' | 'claims'

export interface IdentityOption {
  /** `owner`, or an identity in the format of identity-text.ts. */
  readonly value: string
  readonly label: string
  readonly kind: IdentityKind
  readonly group: string
  readonly detail?: string
}

const REQUESTS_OFFERED = 12

/** The options of the picker. The options always include `chosen`. */
export function identityOptions(
  choices: IdentityChoices | undefined,
  requests: readonly JournalEntry[],
  chosen: IdentityReference | null,
  hasOwner: boolean,
): readonly IdentityOption[] {
  const options = [
    ...(hasOwner ? [ownerOption()] : []),
    ...(choices?.identities ?? [])
      .toSorted(
        (one, other) => Number(isPerson(one)) - Number(isPerson(other)) || byLabel(one, other),
      )
      .map(({ reference, label, role }) => known(reference, label, role)),
    ...latestRequests(requests),
  ]
  if (chosen === null || options.some(({ value }) => value === identityText(chosen))) return options
  return [...options, custom(chosen)]
}

/** Returns the identity for a value of the picker. The identity `null` is the owner. */
export function identityOf(value: string): IdentityReference | null {
  return parseIdentityText(value) ?? null
}

/** Replaces a user's id by the e-mail address, so that the page's URL is readable. */
export function readableReference(reference: IdentityReference, label: string): IdentityReference {
  return reference.kind === 'user' && label.includes('@')
    ? { ...reference, user: label }
    : reference
}

type Choice = IdentityChoices['identities'][number]

function isPerson({ reference }: Choice): boolean {
  return reference.kind === 'user'
}

function byLabel(one: Choice, other: Choice): number {
  return one.label.localeCompare(other.label, 'en')
}

function ownerOption(): IdentityOption {
  return { value: OWNER, label: 'Owner', kind: 'owner', group: '', detail: 'bypasses policies' }
}

function known(reference: IdentityReference, label: string, role: string): IdentityOption {
  const value = identityText(readableReference(reference, label))
  if (reference.kind === 'user') return { value, label, kind: 'user', group: 'Users', detail: role }
  return {
    value,
    label,
    kind: reference.kind,
    group: 'Keys',
    detail: reference.kind === 'service_role' ? 'bypasses policies' : 'not signed in',
  }
}

function latestRequests(requests: readonly JournalEntry[]): readonly IdentityOption[] {
  return requests
    .filter(({ role }) => role !== null)
    .slice(-REQUESTS_OFFERED)
    .reverse()
    .map((entry) => ({
      value: identityText({ kind: 'request', request_id: entry.request_id }),
      label: `${entry.method} ${entry.target.split('?')[0]}`,
      kind: 'request',
      group: 'From a request',
      detail: `${entry.status} ${entry.role}`,
    }))
}

function custom(identity: IdentityReference): IdentityOption {
  return {
    value: identityText(identity),
    label: identityLabel(identity),
    kind: identity.kind,
    group: identity.kind === 'request' ? 'From a request' : 'Custom',
  }
}
