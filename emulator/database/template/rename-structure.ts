// Renames a structure's schema, owner role and realtime role, also inside definitions and function bodies. Pure.
import { ownerRoleOf, realtimeRoleOf, type SchemaName } from '../../core/names.ts'
import type { SchemaStructure } from './structure.ts'

/** Renames whole words only: `proj_shop_photos` does not change when `proj_shop` is renamed. */
export function renameStructure(structure: SchemaStructure, target: SchemaName): SchemaStructure {
  const source = structure.schemaName
  if (source === target) return structure
  const names = new Map<string, string>([
    [source, target],
    [ownerRoleOf(source), ownerRoleOf(target)],
    [realtimeRoleOf(source), realtimeRoleOf(target)],
  ])
  const words = wholeWords(names)
  const rename = (text: string) => text.replaceAll(words, (word) => names.get(word) ?? word)
  return renameValue(structure, rename) as SchemaStructure
}

// Schema names consist of `[a-z0-9_]`, so they need no escaping here and the catalogue never quotes them. The same word after
// `@` or inside a longer identifier is another name.
function wholeWords(names: ReadonlyMap<string, string>): RegExp {
  return new RegExp(`(?<![\\w$@-])(?:${[...names.keys()].join('|')})(?![\\w$-])`, 'g')
}

function renameValue(value: unknown, rename: (text: string) => string): unknown {
  if (typeof value === 'string') return rename(value)
  if (Array.isArray(value)) return value.map((member) => renameValue(member, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, renameValue(member, rename)]),
  )
}
