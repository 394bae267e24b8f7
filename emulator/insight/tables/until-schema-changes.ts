// Caches facts about a project's schema until the schema changes, because the inspector needs the same facts again and again.
import type { SchemaName } from '../../core/names.ts'
import type { Lifecycle } from '../../platform/projects/lifecycle.ts'

export interface SchemaMemory<Value> {
  /** Returns the cached value of the project. Without a cached value, caches and returns the result of `make`. */
  of(schemaName: SchemaName, make: () => Value): Value
  forget(schemaName: SchemaName): void
}

/** @param most number of projects to remember */
export function untilSchemaChanges<Value>(
  lifecycle: Pick<Lifecycle, 'listen'>,
  most: number,
): SchemaMemory<Value> {
  const known = new Map<SchemaName, Value>()
  const forget = (schemaName: SchemaName): void => {
    known.delete(schemaName)
  }
  lifecycle.listen({
    schemaChanged: ({ schemaName }) => forget(schemaName),
    offline: ({ schemaName }) => forget(schemaName),
    stateReplaced: () => known.clear(),
  })
  return {
    of: (schemaName, make) => {
      const before = known.get(schemaName)
      if (before !== undefined) return before
      if (known.size >= most) known.clear()
      const made = make()
      known.set(schemaName, made)
      return made
    },
    forget,
  }
}
