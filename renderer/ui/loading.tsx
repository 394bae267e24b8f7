// Placeholder lines for a list that is loading.
import type { ReactElement } from 'react'

export interface LoadingProps {
  /** Accessible text: "Loading tables". */
  readonly label?: string
  readonly lines?: number
}

const WIDTHS = ['w-3/4', 'w-1/2', 'w-2/3', 'w-5/6', 'w-2/5']

export function Loading({ label = 'Loading', lines = 6 }: LoadingProps): ReactElement {
  return (
    <div role="status" aria-label={label} className="flex flex-1 flex-col gap-4 p-4">
      {Array.from({ length: lines }, (_, line) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical
          key={line}
          className={`h-3 rounded-1 bg-surface-2 ${WIDTHS[line % WIDTHS.length]}`}
        />
      ))}
    </div>
  )
}
