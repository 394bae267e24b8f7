// The line with filters and actions above a list.
import type { ReactElement, ReactNode } from 'react'

export interface ToolbarProps {
  readonly label: string
  readonly children: ReactNode
  /** The content at the right. */
  readonly actions?: ReactNode
}

export function Toolbar({ label, children, actions }: ToolbarProps): ReactElement {
  return (
    <div
      role="toolbar"
      aria-label={label}
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-b bg-surface-1 px-4 py-1"
    >
      {children}
      <div className="ml-auto flex items-center gap-2">{actions}</div>
    </div>
  )
}
