// Chooses users whose view of the data probably differs, for a rehearsal and an audit. Pure.

interface Claiming {
  readonly id: string
  readonly app_metadata: unknown
}

/** Returns one user of each kind of `app_metadata`, which policies read roles from, and then others in the given order. */
export function chooseUsers<User extends Claiming>(
  users: readonly User[],
  limit: number,
): readonly User[] {
  const kinds = new Map<string, User>()
  for (const user of users) {
    const kind = JSON.stringify(user.app_metadata)
    if (!kinds.has(kind)) kinds.set(kind, user)
  }
  const first = [...kinds.values()]
  return [...first, ...users.filter((user) => !first.includes(user))].slice(0, limit)
}
