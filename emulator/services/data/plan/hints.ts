// Builds the hints ("Perhaps you meant …") of PGRST200, PGRST202 and PGRST205 (PostgREST, "Errors"). Pure.
import { keyOf, type Routine, type SchemaCache } from '../schema-cache/schema-cache.ts'
import type { QualifiedName } from '../settings.ts'
import { ALIKE, closestNames, SOMEWHAT_ALIKE } from './closest-name.ts'

/** The `hint` member of an error; an empty object when no name is close enough. */
export type HintFact = { readonly hint?: string }

// PostgREST gives no hint for a table in schemas with at least this many tables.
const MANY_TABLES = 500

export function tableHint({ tables }: SchemaCache, { schema, name }: QualifiedName): HintFact {
  const names = namesIn(tables.values(), schema)
  const best = names.length < MANY_TABLES ? closest(names, name, ALIKE) : undefined
  return best === undefined ? {} : { hint: `Perhaps you meant the table '${schema}.${best}'` }
}

/**
 * Suggests the overload with the closest argument names. If no function has this name, suggests the function with the closest
 * name.
 */
export function routineHint(
  { routines }: SchemaCache,
  { schema, name }: QualifiedName,
  argumentNames: readonly string[],
): HintFact {
  const overloads = routines.get(keyOf({ schema, name })) ?? []
  const all = [...routines.values()].flat()
  const best =
    overloads.length === 0
      ? closest(namesIn(all, schema), name, ALIKE)
      : appended(name, closest(overloads.map(argumentsOf), listed(argumentNames), SOMEWHAT_ALIKE))
  return best === undefined
    ? {}
    : { hint: `Perhaps you meant to call the function ${schema}.${best}` }
}

/** Suggests the related table with the closest name. If `origin` has no relationships, suggests a table that has some. */
export function relationshipHint(
  cache: SchemaCache,
  origin: QualifiedName,
  target: string,
): HintFact {
  const known = cache.relationships.get(keyOf(origin))
  if (known === undefined) {
    const best = closest(sourcesIn(cache, origin.schema), origin.name, SOMEWHAT_ALIKE)
    return instead(best, origin.name)
  }
  const targets = known.map(({ foreignTable }) => foreignTable.name)
  const isTarget = targets.some((name) => name.toLowerCase() === target.toLowerCase())
  return isTarget ? {} : instead(closest(targets, target, SOMEWHAT_ALIKE), target)
}

function instead(best: string | undefined, given: string): HintFact {
  return best === undefined ? {} : { hint: `Perhaps you meant '${best}' instead of '${given}'.` }
}

function closest(names: Iterable<string>, wanted: string, minScore: number): string | undefined {
  return closestNames(names, wanted, minScore)[0]?.name
}

function sourcesIn({ relationships }: SchemaCache, schema: string): readonly string[] {
  const prefix = keyOf({ schema, name: '' })
  return [...relationships.keys()]
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
}

function namesIn(all: Iterable<QualifiedName>, schema: string): readonly string[] {
  return [...all].filter((each) => each.schema === schema).map(({ name }) => name)
}

function argumentsOf({ parameters }: Routine): string {
  return listed(parameters.map(({ name }) => name))
}

function listed(names: readonly string[]): string {
  return `(${names.toSorted().join(', ')})`
}

function appended(name: string, list: string | undefined): string | undefined {
  return list === undefined ? undefined : name + list
}
