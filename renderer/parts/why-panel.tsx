// Shows the X-ray of one row, and suggested fixes for a refused row.

import { Braces, KeyRound, Rows3, ShieldHalf, TriangleAlert, Wrench } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ExplainRequest } from '../../emulator/contract/explain.ts'
import type { SuggestedFix } from '../../emulator/contract/suggested-fixes.ts'
import { useSuggestedFixes, useXRay } from '../api/explain.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Failed } from '../ui/failed.tsx'
import { Loading } from '../ui/loading.tsx'
import { Loaded } from './loaded.tsx'
import type { RowKey } from './row-key.ts'
import { RunnableSql } from './sql-actions.tsx'
import { XRay } from './x-ray.tsx'

export interface WhyQuestion extends Pick<ExplainRequest, 'relation' | 'identity' | 'command'> {
  /** The key of the row; absent for a new row. */
  readonly key?: RowKey
  readonly newRow?: Readonly<Record<string, string | null>>
}

export function WhyPanel(props: {
  readonly tenant: string
  readonly question: WhyQuestion
}): ReactElement {
  const { tenant, question } = props
  const { relation, identity, command, key, newRow } = question
  const asked = {
    relation,
    identity,
    command,
    ...(newRow && { new_row: newRow }),
  }
  const xRay = useXRay(tenant, {
    ...asked,
    ...(key && { keys: [key] }),
    detail: 'full',
    limit: 1,
  })
  const verdict = xRay.data?.rows[0]
  const isRefused = verdict?.allowed === false
  const fixes = useSuggestedFixes(tenant, isRefused ? { ...asked, key: key ?? {} } : undefined)
  if (xRay.isError) return <Failed error={xRay.error} retry={() => void xRay.refetch()} />
  if (xRay.data === undefined) return <Loading label="Evaluating the policies" />
  if (verdict === undefined)
    return <EmptyState title="Row not found" detail={xRay.data.table.sentence} />
  return (
    <div className="grid gap-5 p-4">
      <XRay tenant={tenant} explanation={xRay.data} verdict={verdict} />
      {isRefused && (
        <section aria-label="Suggested fixes" className="grid gap-2 border-t pt-4">
          <h3 className="flex items-center gap-2 font-strong">
            <Wrench size={14} className="text-ink-dim" />
            Suggested fixes
          </h3>
          <Loaded query={fixes} what="suggested fixes">
            {(loaded) => <SuggestedFixList tenant={tenant} fixes={loaded.suggested_fixes} />}
          </Loaded>
        </section>
      )}
    </div>
  )
}

const KINDS = {
  policy: { icon: ShieldHalf, word: 'policy' },
  row: { icon: Rows3, word: 'row' },
  grant: { icon: KeyRound, word: 'grant' },
  claims: { icon: Braces, word: 'claims' },
} as const

function SuggestedFixList(props: {
  readonly tenant: string
  readonly fixes: readonly SuggestedFix[]
}): ReactElement {
  const { tenant, fixes } = props
  if (fixes.length === 0)
    return (
      <p className="text-ink-dim">
        No single change of the row, a policy or a grant changes the decision.
      </p>
    )
  return (
    <ol className="grid gap-3">
      {fixes.map((fix) => (
        <li key={fix.sql} className="grid gap-1.5">
          <FixHead fix={fix} />
          <RunnableSql tenant={tenant} sql={fix.sql} label={`SQL: ${fix.title}`} />
        </li>
      ))}
    </ol>
  )
}

function FixHead({ fix }: { readonly fix: SuggestedFix }): ReactElement {
  const { icon: Icon, word } = KINDS[fix.changes]
  return (
    <div className="flex items-start gap-2">
      <span className="inline-flex h-5 shrink-0 items-center gap-1 rounded-1 border border-line-strong bg-surface-2 px-1 text-small text-ink-dim">
        <Icon size={11} />
        {word}
      </span>
      <p className="min-w-0 flex-1">{fix.title}</p>
      <Exposure rows={fix.exposes_rows} />
    </div>
  )
}

function Exposure({ rows }: { readonly rows: number | null }): ReactElement {
  if (rows === null)
    return <span className="mt-px shrink-0 text-small text-unknown">? other rows</span>
  if (rows === 0)
    return <span className="mt-px shrink-0 text-small text-allowed">✓ no other row</span>
  return (
    <span className="mt-px inline-flex shrink-0 items-center gap-1 text-small font-strong text-clock">
      <TriangleAlert size={11} />
      exposes {rows.toLocaleString('en')} other {rows === 1 ? 'row' : 'rows'}
    </span>
  )
}
