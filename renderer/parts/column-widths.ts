// Widths of the columns of a table, from its content and header. Pure.
import type { TableColumn } from '../../emulator/contract/tables.ts'
import { type CellKind, displayText, kindOfType } from './cell-kind.ts'
import { shortType } from './short-type.ts'

/** Least width in px of columns whose values need more room than their text: editors, switches and lists. */
const LEAST: Readonly<Partial<Record<CellKind, number>>> = {
  boolean: 84,
  choice: 112,
  date: 108,
  json: 160,
  timestamp: 132,
  time: 100,
}
/** Greatest initial width in px. An id is rarely read to its end. */
const WIDEST = 320
const WIDEST_UUID = 176
/** Greatest width in px where the grid has room to spare. */
const WIDEST_WITH_ROOM = 640

/**
 * Initial width of a column in px, from its content and its header.
 * @param longest Length of the column's longest shown text; `undefined` before rows are known
 */
export function widthOf(
  { name, type, choices, marks }: SizedColumn,
  longest: number | undefined,
): number {
  const kind = kindOfType(type, choices)
  const head = Math.max(name.length * 8 + marks * 18, shortType(type).length * 7)
  const content = (longest ?? TYPICAL[kind] ?? 16) * 8
  const widest = kind === 'uuid' ? Math.max(WIDEST_UUID, head + 24) : WIDEST
  return Math.min(widest, Math.max(64, LEAST[kind] ?? 0, head + 24, content + 20))
}

/** Width in px at which the column shows its complete values, for a grid with room to spare. */
export function mostOf({ marks }: SizedColumn, longest: number | undefined): number {
  return Math.min(WIDEST_WITH_ROOM, (longest ?? 0) * 8 + 20 + marks * 18)
}

export interface SizedColumn extends Pick<TableColumn, 'name' | 'type' | 'choices'> {
  /** Number of icons in the header and in front of the values. */
  readonly marks: number
}

/** Length of a usual value in characters, for a table without rows. */
const TYPICAL: Readonly<Partial<Record<CellKind, number>>> = { number: 6, uuid: 18, text: 20 }

/** Length of the longest text of each column, as its cells show it. */
export function longestTexts(
  columns: readonly Pick<TableColumn, 'name' | 'type' | 'choices'>[],
  rows: readonly Readonly<Record<string, string | null>>[],
): ReadonlyMap<string, number> {
  return new Map(
    columns.map(({ choices, name, type }) => {
      const kind = kindOfType(type, choices)
      const lengths = rows.map((cells) => displayText(kind, cells[name] ?? 'null').length)
      return [name, Math.max(0, ...lengths)]
    }),
  )
}
