// Whether identities of this tenant reach tables of another one, and the other way round.
import { Building2, ShieldAlert, ShieldCheck } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Crossing, CrossingReport } from '../../../emulator/contract/audit.ts'
import { useCrossings } from '../../api/audit.ts'
import { useProjects } from '../../api/info.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { plainOptionsOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import { Select } from '../../ui/select.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { IdentityHead } from './identity-head.tsx'
import { crossText, EMPTY, NOTES } from './texts.ts'

export interface IsolationViewProps {
  readonly tenant: string
  readonly chosen: string | undefined
  readonly onChoose: (slug: string) => void
}

export function IsolationView({ chosen, onChoose, tenant }: IsolationViewProps): ReactElement {
  const { data: projects = [] } = useProjects()
  const others = projects.filter(({ kind, slug }) => kind === 'tenant' && slug !== tenant)
  const other = others.find(({ slug }) => slug === chosen)?.slug ?? others[0]?.slug
  if (other === undefined) return <EmptyState icon={<Building2 />} {...EMPTY.others} />
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <Toolbar label="Other tenant">
        <span className="text-ink-dim">{tenant} and</span>
        <Select
          label="Other tenant"
          isMono
          value={other}
          options={plainOptionsOf(others.map(({ slug }) => slug))}
          onChange={onChoose}
        />
      </Toolbar>
      <div className="grid min-h-0 flex-1 auto-rows-min grid-cols-1 gap-6 overflow-auto p-4">
        <p className="text-ink-dim">{NOTES.ways}</p>
        <Direction from={tenant} to={other} />
        <Direction from={other} to={tenant} />
      </div>
    </div>
  )
}

function Direction({ from, to }: { readonly from: string; readonly to: string }): ReactElement {
  const query = useCrossings(from, to)
  return (
    <section
      aria-label={`Identities of ${from}, tables of ${to}`}
      className="flex min-w-0 flex-col gap-2"
    >
      <Loaded query={query} what={`the access of ${from} to ${to}`} lines={4}>
        {(report) => (
          <>
            <Summary report={report} />
            <Cells report={report} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function Summary({ report }: { readonly report: CrossingReport }): ReactElement {
  const { cells, crossing, other, refusals, requests, tenant } = report
  const isApart = crossing === 0
  const Icon = isApart ? ShieldCheck : ShieldAlert
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <h2
        className={cx(
          'flex items-center gap-2 font-strong',
          isApart ? 'text-allowed' : 'text-refused',
        )}
      >
        <Icon size={16} />
        {tenant} → {other}: {crossText(crossing, cells)}
      </h2>
      <span className="text-small text-ink-dim tabular-nums">
        {formatNumber(requests)} attempts
        {Object.entries(refusals).map(([how, count]) => ` · ${how} × ${formatNumber(count)}`)}
      </span>
    </div>
  )
}

function Cells({ report }: { readonly report: CrossingReport }): ReactElement {
  const { crossings, identities, tables } = report
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the grid
    <div tabIndex={0} className="max-h-96 overflow-auto rounded-2 border">
      <table className="w-max border-separate border-spacing-0">
        <IdentityHead corner={`table of ${report.other}`} identities={identities} />
        <tbody>
          {tables.map((table) => (
            <tr key={table}>
              <th className="sticky left-0 z-10 max-w-64 truncate border-r border-b bg-surface-0 px-3 text-left font-mono font-normal">
                {table}
              </th>
              {identities.map(({ label }) => (
                <td key={label} className="h-6 border-r border-b px-2 text-center text-small">
                  <Reached
                    crossings={crossings.filter(
                      (one) => one.table === table && one.identity === label,
                    )}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Reached({ crossings }: { readonly crossings: readonly Crossing[] }): ReactElement {
  const [first] = crossings
  if (first === undefined) return <span className="text-ink-dim">refused</span>
  return (
    <span className="flex items-center justify-center gap-1 text-refused">
      {first.rows ?? 0} by {first.way}
      {first.curl !== null && <CopyButton text={first.curl} label="Copy curl command" />}
    </span>
  )
}
