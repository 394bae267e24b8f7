// Shows the statement of a request with its values, its plan for the identity that sent the request, and tested advice.
import type { ReactElement } from 'react'
import type { RequestPlan } from '../../../emulator/contract/query-plans.ts'
import { useRequestPlan } from '../../api/requests.ts'
import { identityText } from '../../parts/identity-text.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { PlanAdvice } from '../../parts/plan/plan-advice.tsx'
import { PlanView } from '../../parts/plan/plan-view.tsx'
import { SqlConsoleLink } from '../../parts/sql-actions.tsx'
import { SqlBlock } from '../../parts/sql-text.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Section } from '../../ui/sheet.tsx'

export function RequestPlanView({ requestId }: { readonly requestId: string }): ReactElement {
  const query = useRequestPlan(requestId)
  return (
    <Loaded query={query} what="the plan">
      {(found) => (
        <>
          <PlanSection found={found} />
          {found.plan.error === null && <AdviceSection found={found} />}
          <StatementSection found={found} />
        </>
      )}
    </Loaded>
  )
}

function PlanSection({ found }: { readonly found: RequestPlan }): ReactElement {
  const { identity, parameters, plan, project } = found
  return (
    <Section title="Plan" beside={<span className="text-ink-dim">as {identity.label}</span>}>
      {plan.error === null ? (
        <div className="flex max-h-96 flex-col overflow-hidden rounded-2 border">
          <PlanView
            tenant={project}
            plan={plan}
            as={identityText(identity.reference)}
            onMeasure={undefined}
          />
        </div>
      ) : (
        <p className="text-refused">{plan.error.message}</p>
      )}
      {plan.error === null && plan.execution_ms === null && (
        <p className="text-ink-dim">
          {parameters === null
            ? 'Estimated for any values, because the journal has no values of a request with a body or with secrets.'
            : 'Estimated. A request that writes is not run again.'}
        </p>
      )}
    </Section>
  )
}

function AdviceSection({ found }: { readonly found: RequestPlan }): ReactElement {
  const { identity, parameters, project, statement } = found
  if (parameters === null)
    return (
      <Section title="Advice">
        <p className="text-ink-dim">
          Not tried, because the journal has no values of this statement. Open it in the SQL
          console, enter values, and choose Explain and “Find advice”.
        </p>
      </Section>
    )
  return (
    <Section title="Advice">
      <PlanAdvice
        tenant={project}
        of={{ sql: statement, parameters, identity: identity.reference }}
      />
    </Section>
  )
}

function StatementSection({ found }: { readonly found: RequestPlan }): ReactElement {
  const { identity, parameters, project, statement } = found
  return (
    <Section
      title="Statement"
      beside={
        <span className="flex items-center gap-2">
          <SqlConsoleLink
            tenant={project}
            sql={statement}
            parameters={parameters ?? []}
            as={identityText(identity.reference)}
          />
          <CopyButton text={statement} label="Copy statement" words="Copy" />
        </span>
      }
    >
      <SqlBlock
        sql={statement}
        isScrolling
        className="max-h-[60vh] rounded-2 border bg-surface-0 p-3"
      />
      {parameters !== null && parameters.length > 0 && (
        <dl
          aria-label="Values"
          className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 font-mono"
        >
          {parameters.map((value, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a parameter is its place
            <Value key={place} name={`$${place + 1}`} value={value} />
          ))}
        </dl>
      )}
    </Section>
  )
}

function Value({
  name,
  value,
}: {
  readonly name: string
  readonly value: string | null
}): ReactElement {
  return (
    <>
      <dt className="text-ink-dim">{name}</dt>
      <dd className="min-w-0 break-all">
        {value === null ? <span className="text-ink-dim">null</span> : value}
      </dd>
    </>
  )
}
