// Which objects wait for a cast. Postgres keeps no such dependency: a stored expression refers to the cast's function
// or types alone, but its text (`x::json`, or a conversion that nothing shows) is understood only where the cast is. Pure.
import type { DependencyRecord } from '../catalog/dependencies.ts'
import type { SchemaStructure } from './structure.ts'

type Need = Pick<DependencyRecord, 'from' | 'to'>
type Neighbours = (key: string) => readonly string[]

/** Whatever uses a cast's function, or the types of a cast without one, needs the cast, unless the cast needs it. */
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

/** The needs as a function from a key to what it needs. */
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
