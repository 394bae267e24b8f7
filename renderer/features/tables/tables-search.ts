// What the address of this screen holds beside its path: read from any text, wrong values are left out. Pure.

// biome-ignore lint/complexity/noBannedTypes: no search parameters yet
export type TablesSearch = {}

export function parseTablesSearch(_raw: Readonly<Record<string, unknown>>): TablesSearch {
  return {}
}
