// The plan of a statement as a tree, with rows, times and the conditions that policies added. Loaded when the user explains.
import { ChevronDown, ChevronRight, ShieldCheck, Timer } from 'lucide-react'
import { type ReactElement, useMemo, useState } from 'react'
import type { PlanAnswer } from '../../../emulator/contract/query-plans.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { cx } from '../../ui/cx.ts'
import { countOf } from '../../ui/form-values.ts'
import { formatNumber } from '../../ui/format.ts'
import { Duration } from '../../ui/timestamp.tsx'
import { PlanConditions } from './plan-conditions.tsx'
import { openLines, type PlanLine, planLines, policyCost } from './plan-model.ts'

export interface PlanViewProps {
  readonly tenant: string
  readonly plan: PlanAnswer
  /** The identity in the format of identity-text.ts; `undefined` for the owner. */
  readonly as: string | undefined
  /** Runs the statement to measure it. `undefined` offers no measurement, for example when the plan already has one. */
  readonly onMeasure: (() => void) | undefined
}

export function PlanView(props: PlanViewProps): ReactElement {
  const { tenant, plan, as, onMeasure } = props
  const lines = useMemo(() => planLines(plan), [plan])
  const [closed, setClosed] = useState<ReadonlySet<number>>(new Set())
  const toggle = (index: number) =>
    setClosed((before) => {
      const next = new Set(before)
      if (!next.delete(index)) next.add(index)
      return next
    })
  const isMeasured = plan.execution_ms !== null
  return (
    <div className="@container flex min-h-0 flex-1 flex-col">
      <PlanSummary plan={plan} lines={lines} onMeasure={onMeasure} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll the plan */}
      <div role="region" aria-label="Plan" tabIndex={0} className="min-h-0 flex-1 overflow-auto">
        <table className="w-full border-collapse">
          <thead className="sticky top-0 z-10 bg-surface-1 text-small text-ink-dim">
            <tr>
              <th className={cx(HEAD, 'text-left')}>Node</th>
              <th className={isMeasured ? cx(NUMBER, WIDE) : NUMBER}>Estimated rows</th>
              {isMeasured && <th className={NUMBER}>Actual rows</th>}
              {isMeasured && <th className={cx(NUMBER, WIDE)}>Loops</th>}
              <th className={cx(NUMBER, WIDE)}>{isMeasured ? 'Total' : 'Total cost'}</th>
              <th className={NUMBER}>{isMeasured ? 'Own time' : 'Own cost'}</th>
            </tr>
          </thead>
          <tbody>
            {openLines(lines, closed).map((line) => (
              <PlanRow
                key={line.index}
                line={line}
                isMeasured={isMeasured}
                isClosed={closed.has(line.index)}
                onToggle={toggle}
                tenant={tenant}
                as={as}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

const HEAD = 'h-7 border-b px-3 font-normal whitespace-nowrap'
const NUMBER = `${HEAD} text-right`
/** Class of the columns that a narrow plan hides. */
const WIDE = 'hidden @2xl:table-cell'
const CELL = 'border-b px-3 py-1 text-right align-top whitespace-nowrap tabular-nums'

function PlanSummary(props: {
  readonly plan: PlanAnswer
  readonly lines: readonly PlanLine[]
  readonly onMeasure: (() => void) | undefined
}): ReactElement {
  const { plan, lines, onMeasure } = props
  const policies = policyCost(lines)
  const cost = plan.nodes[0]?.total_cost ?? 0
  const without = plan.cost_without_policies
  return (
    <div className="flex min-h-9 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 border-b bg-surface-1 px-4 py-1 text-small text-ink-dim">
      {plan.execution_ms !== null && (
        <span>
          Execution <Duration millis={plan.execution_ms} />, rolled back
        </span>
      )}
      {plan.planning_ms !== null && (
        <span>
          Planning <Duration millis={plan.planning_ms} />
        </span>
      )}
      <span>
        Cost {costText(cost)}
        {without !== null && `, without policies ${costText(without)}`}
      </span>
      {policies !== undefined && (
        <span
          data-testid="policy-cost"
          className={cx('flex items-center gap-1', policies.share >= 0.01 && 'text-clock')}
        >
          <ShieldCheck size={13} className="shrink-0" />
          {policyText(policies, plan.execution_ms !== null)}
        </span>
      )}
      <span className="ml-auto flex items-center gap-2">
        {onMeasure !== undefined && (
          <Button size="small" icon={<Timer />} onClick={onMeasure}>
            Explain analyze
          </Button>
        )}
        <CopyButton text={plan.json} label="Copy plan as JSON" />
      </span>
    </div>
  )
}

function policyText(
  { share, removed }: NonNullable<ReturnType<typeof policyCost>>,
  isMeasured: boolean,
): string {
  const part = `Nodes with policies need ${Math.round(share * 100)} % of the ${isMeasured ? 'time' : 'cost'}`
  return removed === null ? part : `${part} and remove ${countOf(removed, 'row')}`
}

function PlanRow(props: {
  readonly line: PlanLine
  readonly isMeasured: boolean
  readonly isClosed: boolean
  readonly onToggle: (index: number) => void
  readonly tenant: string
  readonly as: string | undefined
}): ReactElement {
  const { line, isMeasured, isClosed, onToggle, tenant, as } = props
  const { node, isSlow, misjudged } = line
  const { measured } = node
  return (
    <tr className={cx(isSlow && 'bg-refused/8', node.is_policy && !isSlow && 'bg-clock/5')}>
      <td className="w-full max-w-0 min-w-52 border-b px-3 py-1 align-top">
        <div style={{ paddingLeft: node.depth * 20 }} className="flex min-w-0 gap-1">
          {line.hasChildren ? (
            <button
              type="button"
              aria-expanded={!isClosed}
              aria-label={`${isClosed ? 'Open' : 'Close'} ${node.type}`}
              onClick={() => onToggle(line.index)}
              className="flex size-5 shrink-0 items-center justify-center text-ink-dim hover:text-ink"
            >
              {isClosed ? <ChevronRight size={14} /> : <ChevronDown size={14} />}
            </button>
          ) : (
            <span className="size-5 shrink-0" />
          )}
          <div className="flex min-w-0 flex-col gap-1">
            <NodeTitle line={line} />
            <PlanConditions tenant={tenant} node={node} as={as} />
          </div>
        </div>
      </td>
      <td className={cx(CELL, isMeasured && WIDE, 'text-ink-dim')}>{formatNumber(node.rows)}</td>
      {isMeasured && (
        <td className={CELL}>
          {measured === null || measured.loops === 0 ? '–' : formatNumber(measured.rows)}
          {misjudged !== undefined && (
            <div className="pt-1">
              <Chip
                tone="clock"
                icon={null}
                title="The planner estimated a different number of rows"
              >
                off by ×{formatNumber(Math.round(misjudged))}
              </Chip>
            </div>
          )}
        </td>
      )}
      {isMeasured && (
        <td className={cx(CELL, WIDE, 'text-ink-dim')}>{formatNumber(measured?.loops ?? 0)}</td>
      )}
      <td className={cx(CELL, WIDE, 'text-ink-dim')}>
        {measured === null ? costText(node.whole_cost) : <Duration millis={measured.total_ms} />}
      </td>
      <td className={CELL}>
        <OwnShare line={line} />
      </td>
    </tr>
  )
}

function NodeTitle({ line }: { readonly line: PlanLine }): ReactElement {
  const { node, isSlow } = line
  const { type, relation, alias, index, subplan } = node
  const details = Object.entries(node.details).map(([name, value]) => `${name}: ${value}`)
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-2">
      {subplan !== null && <span className="text-ink-dim">{subplan}</span>}
      <span className="font-strong">{type}</span>
      {relation !== null && (
        <span className="font-mono">
          {relation}
          {alias !== null && alias !== relation && <span className="text-ink-dim"> {alias}</span>}
        </span>
      )}
      {index !== null && <span className="font-mono text-ink-dim">{index}</span>}
      {isSlow && <Chip tone="refused">slow</Chip>}
      {node.is_policy && (
        <Chip tone="clock" icon={<ShieldCheck />}>
          subquery of a policy
        </Chip>
      )}
      {details.length > 0 && <span className="text-small text-ink-dim">{details.join(' · ')}</span>}
    </span>
  )
}

/** The node's own time or cost, as a number and a bar. */
function OwnShare({ line }: { readonly line: PlanLine }): ReactElement {
  const { node, share, isSlow } = line
  const { measured } = node
  return (
    <div className="flex items-center justify-end gap-2">
      <span className="h-2 w-16 shrink-0 rounded-full bg-surface-3">
        <span
          style={{ width: `${share * 100}%` }}
          className={cx('block h-full rounded-full', isSlow ? 'bg-refused' : 'bg-accent')}
        />
      </span>
      <span className="w-14">
        {measured === null ? costText(node.self_cost) : <Duration millis={measured.self_ms} />}
      </span>
    </div>
  )
}

/** Costs below ten have decimals, because the bars show their differences. */
function costText(cost: number): string {
  return cost < 10 ? String(Math.round(cost * 100) / 100) : formatNumber(Math.round(cost))
}
