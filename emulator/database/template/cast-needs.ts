// Finds the objects that need a cast to exist first. Postgres does not record that a stored expression needs a cast. The
// expression's text (`x::json`, or an implicit conversion) cannot be parsed without the cast. Pure.
import type { DependencyRecord } from '../catalog/dependencies.ts'
import type { SchemaStructure } from './structure.ts'

export type Need = Pick<DependencyRecord, 'from' | 'to'>
type Neighbours = (key: string) => readonly string[]

/**
 * Adds a dependency on a cast to each object that uses the cast's function or, without a function, its types. Objects that the
 * cast itself needs get no such dependency.
 */
export function castNeeds({
  casts,
  dependencies,
}: Pick<SchemaStructure, 'casts' | 'dependencies'>): readonly Need[] {
  if (casts.length === 0) return []
  const needs = neighbours(dependencies)
  const users = neighbours(dependencies.map(({ from, to }) => ({ from: to, to: from })))
  return casts.flatMap(({ function: signature, key }) => {
    const earlier = reachable(key, needs)
    const hints = signature === undefined ? needs(key) : [`routine:${signature}`]
    return hints
      .flatMap(users)
      .filter((user) => !user.startsWith('cast:') && !earlier.has(user))
      .map((user) => ({ from: user, to: key }))
  })
}

/** Returns a look-up from a key to the keys that it needs. */
export function neighbours(edges: readonly Need[]): Neighbours {
  const found = new Map<string, string[]>()
  for (const { from, to } of edges) {
    const list = found.get(from)
    if (list === undefined) found.set(from, [to])
    else list.push(to)
  }
  return (key) => found.get(key) ?? []
}

function reachable(start: string, needs: Neighbours): ReadonlySet<string> {
  const seen = new Set([start])
  for (const key of seen) for (const need of needs(key)) seen.add(need)
  return seen
}
