// A bordered list that shows its first items, and all of them when the user asks for them.
import { type ReactElement, type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { formatNumber } from '../../ui/format.ts'

/** The number of items that show first. */
const FIRST = 20

export function FirstItems<Item>(props: {
  /** Accessible name. */
  readonly label: string
  readonly items: readonly Item[]
  /** The noun in "Show all 57 changes". */
  readonly many: string
  /** Says what the list leaves out. Shows below the whole list. */
  readonly rest?: string | undefined
  /** Returns an element with a key. */
  readonly children: (item: Item) => ReactNode
}): ReactElement {
  const { children, items, label, many, rest } = props
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? items : items.slice(0, FIRST)
  return (
    <div className="flex min-w-0 flex-col items-start gap-2">
      <ul aria-label={label} className="flex w-full min-w-0 flex-col rounded-2 border">
        {shown.map(children)}
      </ul>
      {shown.length < items.length ? (
        <Button size="small" onClick={() => setOpen(true)}>
          Show all {formatNumber(items.length)} {many}
        </Button>
      ) : (
        rest !== undefined && <p className="text-small text-ink-dim">{rest}</p>
      )}
    </div>
  )
}
