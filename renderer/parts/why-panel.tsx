// Shows the X-ray of one row, and suggested fixes for a refused row.

import { Wrench } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ExplainRequest } from '../../emulator/contract/explain.ts'
import { useSuggestedFixes, useXRay } from '../api/explain.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Failed } from '../ui/failed.tsx'
import { Loading } from '../ui/loading.tsx'
import { SuggestedFixList } from './fixes/suggested-fix-list.tsx'
import { Loaded } from './loaded.tsx'
import type { RowKey } from './row-key.ts'
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
            {(found) => <SuggestedFixList tenant={tenant} found={found} />}
          </Loaded>
        </section>
      )}
    </div>
  )
}
