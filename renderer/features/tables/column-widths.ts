// How wide columns are: by type and name until someone drags, then as they left it. Pixels. Pure.
import { kindOfType } from '../../parts/cell-kind.ts'

export const LEAST_WIDTH = 56
const MOST_WIDTH = 900

const BY_KIND = {
  text: 200,
  number: 92,
  boolean: 84,
  choice: 120,
  json: 220,
  array: 160,
  date: 108,
  timestamp: 200,
  time: 108,
  uuid: 160,
  bytes: 120,
} as const

/** Widths by column name; what was kept wins over what the type suggests. */
export function columnWidths(
  columns: readonly {
    readonly name: string
    readonly type: string
    readonly choices?: readonly string[] | null
  }[],
  kept: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    columns.map(({ name, type, choices }) => {
      const byType = BY_KIND[kindOfType(type, choices ?? null)]
      // The head holds the name, the type, and icons of keys.
      const byHead = name.length * 8 + Math.min(shortType(type).length, 14) * 7 + 56
      return [name, clampWidth(kept[name] ?? Math.max(byType, Math.min(byHead, 260)))]
    }),
  )
}

export function clampWidth(width: number): number {
  return Math.max(LEAST_WIDTH, Math.min(MOST_WIDTH, Math.round(width)))
}

/** Reads what was kept; anything else than numbers is left out. */
export function parseKeptWidths(text: string | null): Readonly<Record<string, number>> {
  if (text === null) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(
      Object.entries(value).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number',
      ),
    )
  } catch {
    return {}
  }
}

const SHORT_TYPES: Readonly<Record<string, string>> = {
  'timestamp with time zone': 'timestamptz',
  'timestamp without time zone': 'timestamp',
  'time without time zone': 'time',
  'time with time zone': 'timetz',
  'double precision': 'float8',
  'character varying': 'varchar',
}

/** A type as people call it. */
export function shortType(type: string): string {
  return SHORT_TYPES[type] ?? type
}
