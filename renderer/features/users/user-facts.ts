// Facts about a user for lists. The user's metadata may contain any JSON, because users write it themselves. Pure.
import type { ProjectUser } from '../../../emulator/contract/users.ts'

/** Returns the user's name, if the metadata contains a name. */
export function nameOf({
  user_metadata: data,
}: Pick<ProjectUser, 'user_metadata'>): string | undefined {
  for (const member of ['full_name', 'name', 'display_name']) {
    const value = data[member]
    if (typeof value === 'string' && value.trim() !== '') return value
  }
  return undefined
}

/** Returns the user's e-mail address, else the phone number, else the id. */
export function addressOf(props: Pick<ProjectUser, 'email' | 'phone' | 'id'>): string {
  const { email, phone, id } = props
  return email ?? phone ?? id
}

/** Returns the providers that the user signs in with, without duplicates. */
export function providersOf({ identities }: Pick<ProjectUser, 'identities'>): readonly string[] {
  const names = identities.map(({ provider }) => provider)
  return [...new Set(names.filter((name): name is string => typeof name === 'string'))]
}

/** Whether the user is banned. `nowMillis` is platform time; `parse` reads ISO 8601. */
export function isBanned(
  { banned_until: until }: Pick<ProjectUser, 'banned_until'>,
  nowMillis: number,
  parse: (iso: string) => number | undefined,
): boolean {
  return until !== null && (parse(until) ?? 0) > nowMillis
}

/** Returns the sign-in method of an `amr` entry, or `?` when the entry has no method. */
export function methodOf(entry: Readonly<Record<string, unknown>>): string {
  const { method } = entry
  return typeof method === 'string' ? method : '?'
}
