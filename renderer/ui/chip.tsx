// A small label for a state. Each tone has a shape as well as a colour, for users who cannot distinguish colours.
import { Check, Clock, Diff, EyeOff, HelpCircle, X, Zap } from 'lucide-react'
import type { ComponentType, ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'

export type Tone =
  | 'neutral'
  | 'accent'
  | 'allowed'
  | 'refused'
  | 'unknown'
  | 'changed'
  | 'clock'
  | 'fault'
  | 'hidden'

export interface ChipProps {
  readonly tone?: Tone
  readonly children: ReactNode
  /** The shape that replaces the tone's shape. `null` shows no shape. */
  readonly icon?: ReactNode
  readonly title?: string
  readonly isMono?: boolean
  readonly className?: string
}

const LOOKS: Readonly<Record<Tone, string>> = {
  neutral: 'border-line-strong bg-surface-2 text-ink-dim',
  accent: 'border-accent/40 bg-accent-tint text-accent',
  allowed: 'border-allowed/40 bg-allowed-tint text-allowed',
  refused: 'border-refused/40 bg-refused-tint text-refused',
  unknown: 'border-unknown/40 bg-unknown-tint text-unknown',
  changed: 'border-changed/40 bg-changed-tint text-changed',
  clock: 'border-clock/40 bg-clock-tint text-clock',
  fault: 'border-fault/40 bg-fault-tint text-fault',
  hidden: 'border-dashed border-line-strong hidden-row',
}

const SHAPES: Readonly<Partial<Record<Tone, ComponentType<{ readonly className?: string }>>>> = {
  allowed: Check,
  refused: X,
  unknown: HelpCircle,
  changed: Diff,
  clock: Clock,
  fault: Zap,
  hidden: EyeOff,
}

export function Chip(props: ChipProps): ReactElement {
  const { tone = 'neutral', children, icon, title, isMono = false, className } = props
  const Shape = SHAPES[tone]
  const own = Shape === undefined ? undefined : <Shape className="size-3 shrink-0" />
  return (
    <span
      title={title}
      className={cx(
        'inline-flex h-5 max-w-full min-w-0 items-center gap-1 rounded-1 border px-1 text-small whitespace-nowrap [&_svg]:size-3',
        isMono && 'font-mono',
        LOOKS[tone],
        className,
      )}
    >
      {icon === undefined ? own : icon}
      <span className="truncate">{children}</span>
    </span>
  )
}
