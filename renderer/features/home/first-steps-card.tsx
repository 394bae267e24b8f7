// Shows example requests that new users can paste into a terminal.
import type { ReactElement } from 'react'
import type { ReadyLine } from '../../../emulator/contract/addresses.ts'
import { useTables } from '../../api/tables.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type StepWorld, stepLine } from './first-steps.ts'
import { STEPS, type Step } from './home-search.ts'

export interface FirstStepsCardProps {
  readonly info: ReadyLine
  /** The tenant's slug. */
  readonly tenant: string | undefined
  readonly step: Step
  readonly onStep: (step: Step) => void
}

export function FirstStepsCard(props: FirstStepsCardProps): ReactElement {
  const { info, tenant: slug } = props
  const group = info.groups.find(({ tenants }) => tenants.some((one) => one.slug === slug))
  const tenant = group?.tenants.find((one) => one.slug === slug)
  if (group === undefined || tenant === undefined)
    return (
      <EmptyState
        title="No tenant chosen"
        detail="Example requests of a tenant appear here. Choose a tenant in the top bar, or provision a tenant under Groups and tenants."
      />
    )
  return <Steps {...props} world={{ info, group, tenant }} />
}

function Steps({
  world,
  step,
  onStep,
}: FirstStepsCardProps & { readonly world: Omit<StepWorld, 'table'> }): ReactElement {
  const { data, isPending } = useTables(world.tenant.slug)
  if (isPending) return <Loading label="Loading first steps" />
  const open = data?.tables.filter(({ is_closed: isClosed }) => !isClosed) ?? []
  const table = (open.find(({ rows }) => (rows ?? 0) > 0) ?? open[0])?.name
  const { explanation, command, shown } = stepLine(step, { ...world, table })
  return (
    <Tabs
      label="First steps"
      value={step}
      tabs={STEPS.map((value) => ({
        value,
        label: stepLine(value, { ...world, table }).title,
      }))}
      onChange={onStep}
      actions={<CopyButton text={command} label="Copy command" words="Copy" />}
    >
      <div className="flex flex-col gap-2 p-3">
        <p className="text-ink-dim">{explanation}</p>
        <pre
          // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the block
          tabIndex={0}
          role="group"
          aria-label="Command"
          className="overflow-auto rounded-1 bg-surface-0 p-3"
        >
          {shown}
        </pre>
      </div>
    </Tabs>
  )
}
