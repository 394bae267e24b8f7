// Shows a statement that the user can run: highlighted, with a link to the SQL console and a copy button.
import { Link } from '@tanstack/react-router'
import { SquareTerminal } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { SqlBlock } from './sql-text.tsx'

export function RunnableSql(props: {
  readonly tenant: string
  readonly sql: string
  readonly label?: string
  /** Further actions, before the others. */
  readonly children?: ReactNode
}): ReactElement {
  const { tenant, sql, label = 'SQL', children } = props
  return (
    <figure aria-label={label} className="min-w-0 rounded-2 border bg-surface-0">
      <SqlBlock sql={sql} className="max-h-56 overflow-auto px-2 py-1.5" />
      <figcaption className="flex flex-wrap items-center gap-2 border-t px-2 py-1">
        {children}
        <SqlConsoleLink tenant={tenant} sql={sql} />
        <CopyButton text={sql} label={`Copy ${label}`} words="Copy" />
      </figcaption>
    </figure>
  )
}

/** Opens the SQL console with the statement in its editor. The statement does not run automatically. */
export function SqlConsoleLink(props: {
  readonly tenant: string
  readonly sql: string
}): ReactElement {
  const { tenant, sql } = props
  return (
    <Link
      to="/t/$tenant/sql"
      params={{ tenant }}
      search={{ sql }}
      className="inline-flex h-6 items-center gap-1 rounded-1 border border-line-strong bg-surface-2 px-2 text-small text-ink hover:bg-surface-3"
    >
      <SquareTerminal size={12} />
      Open in SQL console
    </Link>
  )
}
