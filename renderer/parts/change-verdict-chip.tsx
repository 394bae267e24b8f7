// Shows a subscriber's verdict on a change as shape, colour and word. Another chip shows the event of a change.
import {
  CircleHelp,
  Clock,
  EyeOff,
  Filter,
  Gauge,
  Pencil,
  Plus,
  Send,
  ShieldOff,
  Trash2,
  X,
} from 'lucide-react'
import type { ReactElement } from 'react'
import type { RowHistoryEntry } from '../../emulator/contract/history.ts'
import type { ChangeVerdict } from '../../emulator/contract/realtime.ts'
import { Chip } from '../ui/chip.tsx'
import { cx } from '../ui/cx.ts'
import { tallyOf, VERDICT_WORDS, type Verdict } from './change-verdicts.ts'

const SHAPES = {
  delivered: Send,
  filtered: Filter,
  hidden: EyeOff,
  rlsOff: ShieldOff,
  notEvaluable: CircleHelp,
  refused: X,
  tokenExpired: Clock,
  rateLimited: Gauge,
} as const satisfies Record<Verdict, typeof Send>

export interface ChangeVerdictChipProps {
  readonly verdict: Verdict
  /** Text after the word, such as a latency or a count. */
  readonly detail?: string
}

export function ChangeVerdictChip({ verdict, detail }: ChangeVerdictChipProps): ReactElement {
  const { word, tone, meaning } = VERDICT_WORDS[verdict]
  const Shape = SHAPES[verdict]
  return (
    <Chip tone={tone} icon={<Shape className="shrink-0" />} title={meaning}>
      {detail === undefined ? word : `${word} ${detail}`}
    </Chip>
  )
}

/** Counts of the verdicts on a change: `2 delivered`, `1 hidden`. */
export function VerdictTally({
  verdicts,
}: {
  readonly verdicts: readonly ChangeVerdict[]
}): ReactElement {
  if (verdicts.length === 0) return <span className="text-ink-dim">no subscribers</span>
  return (
    <span className="inline-flex items-center gap-1">
      {tallyOf(verdicts).map(({ verdict, count }) => (
        <VerdictCount key={verdict} verdict={verdict} count={count} />
      ))}
    </span>
  )
}

const INKS = {
  allowed: 'text-allowed',
  refused: 'text-refused',
  unknown: 'text-unknown',
  clock: 'text-clock',
  fault: 'text-fault',
} as const

function VerdictCount(props: { readonly verdict: Verdict; readonly count: number }): ReactElement {
  const { verdict, count } = props
  const { word, tone } = VERDICT_WORDS[verdict]
  const Shape = SHAPES[verdict]
  return (
    <span
      title={`${count} ${word}`}
      className={cx(
        'inline-flex items-center gap-1 text-small tabular-nums [&_svg]:size-3',
        INKS[tone],
      )}
    >
      <Shape />
      {count}
      <span className="sr-only">{word}</span>
    </span>
  )
}

const EVENT_LOOKS = {
  INSERT: { Shape: Plus, ink: 'text-allowed' },
  UPDATE: { Shape: Pencil, ink: 'text-changed' },
  DELETE: { Shape: Trash2, ink: 'text-refused' },
  TRUNCATE: { Shape: Trash2, ink: 'text-refused' },
  DROP: { Shape: Trash2, ink: 'text-refused' },
} as const satisfies Record<RowHistoryEntry['kind'], object>

export function ChangeEvent({ event }: { readonly event: RowHistoryEntry['kind'] }): ReactElement {
  const { Shape, ink } = EVENT_LOOKS[event]
  return (
    <span className={cx('inline-flex items-center gap-1 font-mono text-small [&_svg]:size-3', ink)}>
      <Shape className="shrink-0" />
      {event}
    </span>
  )
}
