// Values that the user typed into cells and that are not stored: Postgres refused them, or the user left the cell without
// saving.
import { useMemo, useState } from 'react'

export interface UnsavedCell {
  readonly value: string | null
  /** Why the value is not stored. */
  readonly reason: string
}

export interface UnsavedCells {
  readonly find: (row: string, column: string) => UnsavedCell | undefined
  readonly keep: (row: string, column: string, cell: UnsavedCell) => void
  readonly forget: (row: string, column: string) => void
}

/** @param row the row's key as text */
export function useUnsavedCells(): UnsavedCells {
  const [cells, setCells] = useState<ReadonlyMap<string, UnsavedCell>>(new Map())
  return useMemo(() => {
    const change = (row: string, column: string, cell: UnsavedCell | undefined) =>
      setCells((before) => {
        const next = new Map(before)
        if (cell === undefined) next.delete(placeOf(row, column))
        else next.set(placeOf(row, column), cell)
        return next
      })
    return {
      find: (row, column) => cells.get(placeOf(row, column)),
      keep: change,
      forget: (row, column) => change(row, column, undefined),
    }
  }, [cells])
}

function placeOf(row: string, column: string): string {
  return JSON.stringify([row, column])
}
