// The change that is open over the page. The sheet stays open when the list that opened it loses the fixed item.
import type { ChangeSheetProps } from './change-model.ts'

export type Change = Omit<ChangeSheetProps, 'onDone'>

let open: Change | undefined
const listeners = new Set<() => void>()

export function openedChange(): Change | undefined {
  return open
}

export function onOpenedChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Opens the sheet of a change over the page; `undefined` closes it. */
export function openChange(change: Change | undefined): void {
  open = change
  for (const listener of listeners) listener()
}
