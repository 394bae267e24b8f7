// Names the subscribers of realtime, and users by their e-mail address.
import { useIdentities } from '../../api/explain.ts'

export type NameOfSubscriber = (subscriber: {
  readonly role: string
  readonly subject: string
}) => string

/** Returns a function that names a subscriber by the user's address, the key's role, or else the `sub` claim. */
export function useSubscriberName(tenant: string): NameOfSubscriber {
  const { data } = useIdentities(tenant)
  const names = new Map(
    (data?.identities ?? []).flatMap(({ reference, label }) =>
      reference.kind === 'user' ? [[reference.user, label] as const] : [],
    ),
  )
  return ({ role, subject }) =>
    names.get(subject) ?? (subject === '' || subject.startsWith('apikey:') ? role : subject)
}
