// Values that the user typed into cells and that are not stored: Postgres refused them, another client has changed the cell, or
// the user left the cell without saving.
import { useMemo, useState } from 'react'

/** Why a typed value is not stored. */
export interface CellRefusal {
  readonly reason: string
  /** The cell's present value, when the cell has changed since the user saw it. The user may overwrite this value. */
  readonly now?: string | null
}

export interface UnsavedCell extends CellRefusal {
  readonly value: string | null
  /** The stored value that the user saw before typing. */
  readonly seen: string | null
}

export interface PlacedCell {
  /** The row's key as text. */
  readonly row: string
  readonly column: string
  readonly cell: UnsavedCell
}

export interface UnsavedCells {
  readonly find: (row: string, column: string) => UnsavedCell | undefined
  readonly keep: (row: string, column: string, cell: UnsavedCell) => void
  readonly forget: (row: string, column: string) => void
  readonly all: readonly PlacedCell[]
}

/** @param row the row's key as text */
export function useUnsavedCells(): UnsavedCells {
  const [cells, setCells] = useState<ReadonlyMap<string, PlacedCell>>(new Map())
  return useMemo(() => {
    const change = (row: string, column: string, cell: UnsavedCell | undefined) =>
      setCells((before) => {
        const next = new Map(before)
        if (cell === undefined) next.delete(placeOf(row, column))
        else next.set(placeOf(row, column), { row, column, cell })
        return next
      })
    return {
      find: (row, column) => cells.get(placeOf(row, column))?.cell,
      keep: change,
      forget: (row, column) => change(row, column, undefined),
      all: [...cells.values()],
    }
  }, [cells])
}

function placeOf(row: string, column: string): string {
  return JSON.stringify([row, column])
}
