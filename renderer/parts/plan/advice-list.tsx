// Lists advice that makes a statement read less. The emulator measured each gain in a transaction that it rolled back.
import { Gauge, ShieldHalf, Table2 } from 'lucide-react'
import type { ReactElement } from 'react'
import type {
  AdviceAnswer,
  PlanAdvice,
  PlanEffect,
} from '../../../emulator/contract/query-plans.ts'
import { Chip } from '../../ui/chip.tsx'
import { countOf } from '../../ui/form-values.ts'
import { formatDuration, formatNumber } from '../../ui/format.ts'
import { ChangeButton } from '../change/change-button.tsx'
import { RunnableSql } from '../sql-actions.tsx'
import { gainTones } from './advice-gain.ts'

const KINDS = {
  index: { icon: Table2, word: 'index' },
  policy_call: { icon: ShieldHalf, word: 'policy' },
  statistics: { icon: Gauge, word: 'statistics' },
} as const

export function AdviceList(props: {
  readonly tenant: string
  readonly answer: AdviceAnswer
}): ReactElement {
  const { advice, before, error, not_tried: left } = props.answer
  if (error !== null) return <p className="text-refused">{error.message}</p>
  return (
    <div className="grid gap-4">
      {advice.length === 0 && (
        <p className="text-ink-dim">
          No index and no change of a policy that was tried makes the statement read fewer rows.
        </p>
      )}
      {advice.length > 0 && (
        <ol aria-label="Advice" className="grid gap-4">
          {advice.map((one) => (
            <Advice key={one.sql} tenant={props.tenant} advice={one} before={before} />
          ))}
        </ol>
      )}
      {left > 0 && (
        <p className="text-small text-ink-dim">
          {countOf(left, 'more change')} not tried, because the statement takes long.
        </p>
      )}
    </div>
  )
}

function Advice(props: {
  readonly tenant: string
  readonly advice: PlanAdvice
  readonly before: PlanEffect | null
}): ReactElement {
  const { advice, before, tenant } = props
  const { after, error, helps, kind, reason, sql, title } = advice
  const { icon: Icon, word } = KINDS[kind]
  return (
    <li className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Chip icon={<Icon size={11} />}>{word}</Chip>
        {before !== null && after !== null && <Gain before={before} after={after} helps={helps} />}
        {error !== null && <Chip tone="unknown">not measured</Chip>}
      </div>
      <p className="min-w-0 font-strong">{title}</p>
      <p className="text-ink-dim">{error ?? reason}</p>
      <RunnableSql tenant={tenant} sql={sql} label={`SQL: ${title}`} as="owner">
        {kind !== 'statistics' && (
          <ChangeButton change={{ tenant, title, statements: [sql] }} label="Apply advice" />
        )}
      </RunnableSql>
    </li>
  )
}

function Gain(props: {
  readonly before: PlanEffect
  readonly after: PlanEffect
  readonly helps: boolean
}): ReactElement {
  const { after, before, helps } = props
  const tones = gainTones(before, after, { helps })
  const isMeasured = before.execution_ms !== null && after.execution_ms !== null
  return (
    <>
      {before.rows_read !== null && after.rows_read !== null && (
        <Chip tone={tones.rows}>
          {formatNumber(before.rows_read)} → {countOf(after.rows_read, 'row')} read
        </Chip>
      )}
      <Chip tone={tones.time}>
        {isMeasured
          ? `${formatDuration(before.execution_ms ?? 0)} → ${formatDuration(after.execution_ms ?? 0)}`
          : `estimated cost ${formatNumber(Math.round(before.cost))} → ${formatNumber(Math.round(after.cost))}`}
      </Chip>
      {!helps && <Chip>no gain here</Chip>}
    </>
  )
}
