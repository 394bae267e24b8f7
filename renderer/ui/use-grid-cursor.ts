// The cursor of data-grid.tsx: the row or cell under it, its reaction to keys and clicks, and whether a cell is being edited.
import { type KeyboardEvent, type RefObject, useState } from 'react'
import { type DataGridProps, ROW_HEIGHT } from './grid-columns.ts'
import { type Cursor, clampCursor, moveCursor } from './grid-cursor.ts'
import { isTyping } from './keyboard.ts'
import { useLatest } from './use-latest.ts'

/** The functions that rows call on their grid. This object never changes, so that unchanged rows don't render again. */
export type GridActions = {
  readonly place: (row: number, column: number) => void
  readonly select: (row: number) => void
  readonly open: (row: number) => void
  readonly edit: (row: number, column: number) => void
  readonly leave: () => void
  readonly pick: (key: string) => void
}

export interface GridCursor {
  readonly cursor: Cursor
  readonly isEditing: boolean
  readonly actions: GridActions
  readonly onKeyDown: (event: KeyboardEvent) => void
}

export function useGridCursor<Row>(
  props: DataGridProps<Row>,
  scroller: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): GridCursor {
  const { columns, rows, rowKey, hasCellCursor = false, picking, onSelect, onOpen } = props
  const [place, setPlace] = useState<Cursor>({ row: 0, column: 0 })
  const [edited, setEdited] = useState<string>()
  // Follows the row, because a reload may move or remove it while the user types.
  const editedRow =
    edited === undefined ? -1 : rows.findIndex((row, at) => rowKey(row, at) === edited)
  const isEditing = editedRow >= 0
  const cursor = hasCellCursor
    ? clampCursor(isEditing ? { ...place, row: editedRow } : place, {
        rows: rows.length,
        columns: columns.length,
      })
    : { row: rows.findIndex((row, at) => rowKey(row, at) === props.selected), column: 0 }
  const select = (index: number) => {
    const row = rows[index]
    if (row !== undefined) onSelect?.(rowKey(row, index), row)
  }
  const edit = (row: number, column: number) => {
    setPlace({ row, column })
    const target = columns[column]?.editor === undefined ? undefined : rows[row]
    setEdited(target && rowKey(target, row))
  }
  const pick = (key: string) => picking?.onPick(toggled(picking.picked, key))
  const actions = useLatest<GridActions>({
    place: (row, column) => {
      if (!hasCellCursor) return
      setPlace({ row, column })
      setEdited(undefined)
    },
    select,
    open: (index) => {
      const row = rows[index]
      if (row !== undefined && !hasCellCursor) onOpen?.(row)
    },
    edit: (row, column) => {
      if (hasCellCursor) edit(row, column)
    },
    leave: () => {
      setPlace(cursor)
      setEdited(undefined)
      scroller.current?.focus({ preventScroll: true })
    },
    pick,
  })
  const runCommand = (key: string): boolean => {
    const row = rows[cursor.row]
    if (row === undefined) return false
    if (key === 'Enter' && onOpen !== undefined) onOpen(row)
    else if (key === ' ' && picking !== undefined) pick(rowKey(row, cursor.row))
    else if ((key === 'F2' || key === 'e') && hasCellCursor) edit(cursor.row, cursor.column)
    else if (props.shortcuts?.[key] !== undefined) props.shortcuts[key](row)
    else return false
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isWhole = event.ctrlKey || event.metaKey
    if (event.altKey || isTyping(event.target) || (isWhole && !hasCellCursor)) return
    const height = scroller.current?.clientHeight ?? 0
    const page = Math.max(1, Math.floor(height / (props.rowHeight ?? ROW_HEIGHT)) - 2)
    const size = { rows: rows.length, columns: hasCellCursor ? columns.length : 0, page }
    const next = moveCursor(cursor, event.key, size, isWhole)
    if (next !== undefined) {
      if (!hasCellCursor && onSelect === undefined) return
      setPlace(next)
      setEdited(undefined)
      scrollTo(next.row)
      select(next.row)
    } else if (isWhole || event.target !== scroller.current || !runCommand(event.key)) return
    event.preventDefault()
  }
  return { cursor, isEditing, actions, onKeyDown }
}

function toggled(picked: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(picked)
  if (!next.delete(key)) next.add(key)
  return next
}
