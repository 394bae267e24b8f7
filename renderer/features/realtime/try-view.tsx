// Joining channels as anyone, sending broadcasts, and seeing what arrives.
import { Satellite } from 'lucide-react'
import type { ReactElement } from 'react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { JoinForm } from './join-form.tsx'
import { ProbeCard } from './probe-card.tsx'
import type { Probe } from './probe-model.ts'

export interface TryViewProps {
  readonly tenant: string
  readonly probes: readonly Probe[]
}

export function TryView({ tenant, probes }: TryViewProps): ReactElement {
  return (
    <div className="flex min-h-0 flex-1">
      <aside
        aria-label="Join a channel"
        className="flex w-80 shrink-0 flex-col overflow-auto border-r bg-surface-1 p-4"
      >
        <JoinForm tenant={tenant} />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col gap-4 overflow-auto p-4">
        {probes.length === 0 ? (
          <EmptyState
            icon={<Satellite aria-hidden="true" />}
            title="No channel joined from here"
            detail="Join as two users, then change a row to see who receives it."
          />
        ) : (
          <ul aria-label="Joined channels" className="flex flex-col gap-4">
            {probes.toReversed().map((probe) => (
              <ProbeCard key={probe.id} probe={probe} />
            ))}
          </ul>
        )}
      </div>
    </div>
  )
}
