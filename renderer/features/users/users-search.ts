// What the address of this screen holds beside its path: read from any text, wrong values are left out. Pure.

// biome-ignore lint/complexity/noBannedTypes: no search parameters yet
export type UsersSearch = {}

export function parseUsersSearch(_raw: Readonly<Record<string, unknown>>): UsersSearch {
  return {}
}
