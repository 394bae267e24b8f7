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
  /** See SqlConsoleLink. */
  readonly as?: 'owner'
  /** Further actions, shown before the usual ones. */
  readonly children?: ReactNode
}): ReactElement {
  const { tenant, sql, label = 'SQL', as, children } = props
  return (
    <figure aria-label={label} className="min-w-0 rounded-2 border bg-surface-0">
      <SqlBlock sql={sql} isScrolling className="max-h-56 px-2 py-1.5" />
      <figcaption className="flex flex-wrap items-center gap-2 border-t px-2 py-1">
        {children}
        <SqlConsoleLink tenant={tenant} sql={sql} {...(as && { as })} />
        <CopyButton text={sql} label={`Copy ${label}`} words="Copy" />
      </figcaption>
    </figure>
  )
}

/** Opens the SQL console with the statement in its editor. The statement does not run automatically. */
export function SqlConsoleLink(props: {
  readonly tenant: string
  readonly sql: string
  /** Values of the statement's parameters. */
  readonly parameters?: readonly (string | null)[]
  /**
   * The identity that the console acts as, in the format of identity-text.ts. When absent, the console uses the identity of the
   * context bar.
   */
  readonly as?: string
}): ReactElement {
  const { tenant, sql, parameters = [], as } = props
  return (
    <Link
      to="/t/$tenant/sql"
      params={{ tenant }}
      search={{
        sql,
        ...(parameters.length > 0 && { values: JSON.stringify(parameters) }),
        ...(as !== undefined && { as: as === 'owner' ? undefined : as }),
      }}
      className="inline-flex h-6 items-center gap-1 rounded-1 border border-line-strong bg-surface-2 px-2 text-small text-ink hover:bg-surface-3"
    >
      <SquareTerminal size={12} />
      Open in SQL console
    </Link>
  )
}
