// The header of a screen, with its title and state, and its actions at the right.
import type { ReactElement, ReactNode } from 'react'

export interface PageHeaderProps {
  readonly title: string
  /** Chips or a count beside the title. */
  readonly beside?: ReactNode
  /** The buttons at the right. */
  readonly actions?: ReactNode
}

export function PageHeader({ title, beside, actions }: PageHeaderProps): ReactElement {
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-b px-4">
      <h1 title={title} className="min-w-0 truncate text-title font-strong">
        {title}
      </h1>
      <div className="flex min-w-0 shrink-0 items-center gap-2 text-ink-dim max-md:shrink-[99] max-md:overflow-hidden">
        {beside}
      </div>
      <div className="ml-auto flex shrink-0 items-center gap-2">{actions}</div>
    </header>
  )
}
