// A list that grows at its top does not move under whoever reads further down.
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** `rowHeight` in px; 0 lets the rows move. */
export function useKeptPlace<Row>(
  scroller: RefObject<HTMLElement | null>,
  rows: readonly Row[],
  rowKey: (row: Row, index: number) => string,
  rowHeight: number,
): void {
  const first = useRef<string>(undefined)
  useLayoutEffect(() => {
    const [row] = rows
    const before = first.current
    first.current = row === undefined ? undefined : rowKey(row, 0)
    const element = scroller.current
    if (rowHeight === 0 || before === undefined || element === null || element.scrollTop === 0)
      return
    const arrived = rows.findIndex((one, index) => rowKey(one, index) === before)
    if (arrived > 0) element.scrollTop += arrived * rowHeight
  }, [scroller, rows, rowKey, rowHeight])
}
