// The same structure under another schema's name. Inside definitions and function bodies only whole words are
// renamed: the schema, its owner role and its realtime role. Pure.
import { ownerRoleOf, realtimeRoleOf, type SchemaName } from '../../core/names.ts'
import type { SchemaStructure } from './structure.ts'

/** Renames schema and roles wherever they stand as a whole word; `proj_shop` is left alone in `proj_shop_photos`. */
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

// Schema names are `[a-z0-9_]` only, so they need no escaping here and never come quoted from the catalogue. What
// stands after `@` or inside a longer identifier is no name of ours.
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
