// Renames a structure's schema, owner role and realtime role, also inside definitions and function bodies. Pure.
import { ownerRoleOf, realtimeRoleOf, type SchemaName } from '../../core/names.ts'
import type { SchemaStructure } from './structure.ts'

/** Renames whole words only: `proj_shop_photos` does not change when `proj_shop` is renamed. */
export function renameStructure(structure: SchemaStructure, target: SchemaName): SchemaStructure {
  const source = structure.schemaName
  if (source === target) return structure
  return renameValue(structure, renamer(source, target)) as SchemaStructure
}

/** Returns a function that renames the schema and its roles in a text. */
export function renamer(source: SchemaName, target: SchemaName): (text: string) => string {
  const targets = namesOf(target)
  const names = new Map(namesOf(source).map((name, index) => [name, targets[index] ?? name]))
  const words = wholeWords([...names.keys()])
  return (text) => text.replaceAll(words, (word) => names.get(word) ?? word)
}

/** Returns the places where the text has the name of the schema or of one of its roles as a whole word. */
export function namesIn(text: string, schemaName: SchemaName): readonly RegExpExecArray[] {
  return [...text.matchAll(wholeWords(namesOf(schemaName)))]
}

function namesOf(schemaName: SchemaName): readonly string[] {
  return [schemaName, ownerRoleOf(schemaName), realtimeRoleOf(schemaName)]
}

// Schema names consist of `[a-z0-9_]`, so they need no escaping here and the catalogue never quotes them. The same word after
// `@` or inside a longer identifier is another name.
function wholeWords(names: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w$@-])(?:${names.join('|')})(?![\\w$-])`, 'g')
}

function renameValue(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === 'string') return rename(value)
  if (Array.isArray(value)) return value.map((member) => renameValue(member, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, renameValue(member, rename)]),
  )
}
