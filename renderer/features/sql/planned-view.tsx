// The plan of the console's statement, and advice on the statement. Advice is computed only on request, because testing it
// explains the statement several times.
import { Lightbulb } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { PlanAnswer } from '../../../emulator/contract/query-plans.ts'
import { identityText } from '../../parts/identity-text.ts'
import { PlanAdvice } from '../../parts/plan/plan-advice.tsx'
import { PlanView } from '../../parts/plan/plan-view.tsx'
import { Button } from '../../ui/button.tsx'
import type { RunOrder } from './run-state.ts'

export function PlannedView(props: {
  readonly tenant: string
  readonly order: RunOrder
  readonly plan: PlanAnswer
  readonly onMeasure: () => void
}): ReactElement {
  const { onMeasure, order, plan, tenant } = props
  const { identity, mode, piece, values } = order
  const [isAdvised, setAdvised] = useState(false)
  return (
    <>
      <PlanView
        tenant={tenant}
        plan={plan}
        as={identity === null ? undefined : identityText(identity)}
        onMeasure={mode === 'plan' ? onMeasure : undefined}
      />
      <section
        aria-label="Advice"
        className="flex max-h-[55%] shrink-0 flex-col gap-3 overflow-auto border-t bg-surface-1 px-4 py-2"
      >
        {isAdvised ? (
          <>
            <h2 className="font-strong">Advice</h2>
            <PlanAdvice
              tenant={tenant}
              of={{ sql: piece.text, parameters: [...values], identity: identity ?? 'owner' }}
            />
          </>
        ) : (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-ink-dim">
            <Button size="small" icon={<Lightbulb />} onClick={() => setAdvised(true)}>
              Find advice
            </Button>
            Tries indexes and changes of policies, measures the statement with each, and rolls back.
            A statement that writes does not run.
          </div>
        )}
      </section>
    </>
  )
}
