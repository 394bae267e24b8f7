// Shows the X-ray of one row, and suggested fixes for a refused row.
import { Wrench } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ExplainRequest } from '../../emulator/contract/explain.ts'
import { useSuggestedFixes, useXRay } from '../api/explain.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Failed } from '../ui/failed.tsx'
import { Loading } from '../ui/loading.tsx'
import type { RowKey } from './row-key.ts'
import { SuggestedFixList } from './suggested-fix-list.tsx'
import { XRay } from './x-ray.tsx'

export interface WhyQuestion extends Pick<ExplainRequest, 'relation' | 'identity' | 'command'> {
  /** The key of the row, which is absent for a row to insert. */
  readonly key?: RowKey
  readonly newRow?: Readonly<Record<string, string | null>>
}

export function WhyPanel({
  tenant,
  question,
}: {
  readonly tenant: string
  readonly question: WhyQuestion
}): ReactElement {
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
            <Wrench aria-hidden size={14} className="text-ink-dim" />
            Suggested fixes
          </h3>
          {fixes.isError ? (
            <Failed error={fixes.error} retry={() => void fixes.refetch()} />
          ) : fixes.data === undefined ? (
            <Loading label="Loading suggested fixes" />
          ) : (
            <SuggestedFixList tenant={tenant} fixes={fixes.data.suggested_fixes} />
          )}
        </section>
      )}
    </div>
  )
}
