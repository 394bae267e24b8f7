// Lists a project's tables at the left of a screen, with a filter, a mark for row-level security and a count.
import { useNavigate, useRouter } from '@tanstack/react-router'
import { Lock, ShieldCheck, ShieldOff, Table2, TriangleAlert, View } from 'lucide-react'
import { type MouseEvent, type ReactElement, type ReactNode, useState } from 'react'
import { cx } from '../ui/cx.ts'
import { countOf } from '../ui/form-values.ts'
import { SearchField } from '../ui/search-field.tsx'
import { Tooltip } from '../ui/tooltip.tsx'

export interface RailTable {
  readonly name: string
  readonly isView: boolean
  readonly isClosed: boolean
  readonly isSecured: boolean
  /** Warnings about the table's policies. */
  readonly warnings?: { readonly count: number; readonly isGrave: boolean }
  /** Shown at the right of the table's name. */
  readonly beside: ReactNode
}

export interface TableRailProps {
  readonly label: string
  readonly screen: '/t/$tenant/tables/$table' | '/t/$tenant/policies/$table'
  readonly tenant: string
  readonly chosen: string | undefined
  readonly tables: readonly RailTable[]
  /** Search parameters to keep when the user opens another table. */
  readonly search: {
    readonly as?: string | undefined
    readonly at?: string | undefined
    readonly view?: 'rows' | 'matrix' | undefined
  }
  /** Shown below the list. */
  readonly foot?: ReactNode
}

export function TableRail(props: TableRailProps): ReactElement {
  const { label, chosen, tables, foot } = props
  const [filter, setFilter] = useState('')
  const shown = tables.filter(({ name }) => name.includes(filter.trim().toLowerCase()))
  const open = shown.filter(({ isClosed }) => !isClosed)
  const closed = shown.filter(({ isClosed }) => isClosed)
  const { hrefOf, onClick } = useTableLinks(props)
  const item = (table: RailTable) => (
    <li key={table.name}>
      <a
        href={hrefOf(table.name)}
        onClick={(event) => onClick(event, table.name)}
        aria-current={table.name === chosen ? 'page' : undefined}
        className={cx(
          'flex h-7 items-center gap-2 rounded-1 px-2',
          table.name === chosen
            ? 'bg-surface-3 text-ink'
            : 'text-ink-dim hover:bg-surface-2 hover:text-ink',
        )}
      >
        <Kind table={table} />
        <span title={table.name} className="min-w-0 flex-1 truncate font-mono">
          {table.name}
        </span>
        <span className="shrink-0 text-small text-ink-dim tabular-nums">{table.beside}</span>
        <Badge table={table} />
      </a>
    </li>
  )
  return (
    <nav
      aria-label={label}
      className="flex w-64 shrink-0 flex-col border-r bg-surface-1 max-md:w-52"
    >
      <div className="flex h-11 shrink-0 items-center border-b px-2">
        <SearchField
          label="Filter tables"
          hasSlash={chosen === undefined}
          value={filter}
          onChange={setFilter}
          className="w-full"
        />
      </div>
      <div className="min-h-0 flex-1 overflow-auto p-2">
        <ul className="flex flex-col gap-px">{open.map(item)}</ul>
        {closed.length > 0 && (
          <>
            <p className="px-2 pt-4 pb-1 text-small text-ink-dim">Closed to project credentials</p>
            <ul className="flex flex-col gap-px">{closed.map(item)}</ul>
          </>
        )}
        {shown.length === 0 && <p className="px-2 py-1 text-ink-dim">No tables match.</p>}
      </div>
      {foot !== undefined && <div className="shrink-0 border-t p-2">{foot}</div>}
    </nav>
  )
}

/** The placeholder in the address that each link replaces with a table's name. */
const ANY_TABLE = 'any_table'

// Builds one address and replaces only the table's name. The router would take longer for hundreds of links than the screen takes
// for everything else.
function useTableLinks({ screen, search, tenant }: TableRailProps): {
  readonly hrefOf: (table: string) => string
  readonly onClick: (event: MouseEvent, table: string) => void
} {
  const router = useRouter()
  const navigate = useNavigate()
  const to = { to: screen, search } as const
  const { publicHref } = router.buildLocation({ ...to, params: { tenant, table: ANY_TABLE } })
  const [before = '', after = ''] = publicHref.split(`/${ANY_TABLE}`)
  return {
    hrefOf: (table) => `${before}/${encodeURIComponent(table)}${after}`,
    onClick: (event, table) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
      event.preventDefault()
      void navigate({ ...to, params: { tenant, table } })
    },
  }
}

function Kind({ table }: { readonly table: RailTable }): ReactElement {
  const { warnings } = table
  if (warnings !== undefined && warnings.count > 0)
    return (
      <Tooltip text={countOf(warnings.count, 'warning')} side="right">
        <span
          role="img"
          aria-label={countOf(warnings.count, 'warning')}
          className={cx('shrink-0', warnings.isGrave ? 'text-refused' : 'text-clock')}
        >
          <TriangleAlert size={14} />
        </span>
      </Tooltip>
    )
  const Icon = table.isClosed ? Lock : table.isView ? View : Table2
  return <Icon size={14} className="shrink-0" />
}

function Badge({ table }: { readonly table: RailTable }): ReactElement {
  if (table.isView || table.isClosed) return <span className="size-3.5 shrink-0" />
  const text = table.isSecured
    ? 'Row-level security is on'
    : 'Row-level security is off: a role with the grant reads every row'
  const Icon = table.isSecured ? ShieldCheck : ShieldOff
  return (
    <Tooltip text={text} side="right">
      <span
        role="img"
        aria-label={text}
        className={cx('shrink-0', table.isSecured ? 'text-allowed' : 'text-refused')}
      >
        <Icon size={14} />
      </span>
    </Tooltip>
  )
}
