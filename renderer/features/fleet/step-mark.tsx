// The mark that shows the state of a step in a project. Each state has its own shape, and also a colour.
import { ArrowUpDown, CirclePause, Diff, FileX } from 'lucide-react'
import type { ComponentType, ReactElement } from 'react'
import type { StepState } from '../../../emulator/contract/migrations.ts'
import { cx } from '../../ui/cx.ts'
import { STEP_STATES } from './texts.ts'

const SHAPES: Readonly<
  Record<
    Exclude<StepState, 'applied' | 'pending'>,
    { readonly Icon: ComponentType<{ readonly className?: string }>; readonly ink: string }
  >
> = {
  changed: { Icon: Diff, ink: 'text-changed' },
  missing: { Icon: FileX, ink: 'text-refused' },
  out_of_order: { Icon: ArrowUpDown, ink: 'text-clock' },
  interrupted: { Icon: CirclePause, ink: 'text-refused' },
}

export function StepMark(props: {
  readonly state: StepState | null
  /** The step's name, for the tooltip. */
  readonly name: string
}): ReactElement {
  const { name, state } = props
  if (state === null) return <span className="sr-only">does not apply</span>
  return (
    <span
      title={`${name}: ${STEP_STATES[state]}`}
      className="flex size-5 items-center justify-center"
    >
      <Shape state={state} />
      <span className="sr-only">{STEP_STATES[state]}</span>
    </span>
  )
}

function Shape({ state }: { readonly state: StepState }): ReactElement {
  if (state === 'applied' || state === 'pending')
    return (
      <span
        aria-hidden="true"
        className={cx(
          'rounded-full',
          state === 'applied' ? 'size-2 bg-allowed/70' : 'size-[10px] border-2 border-clock',
        )}
      />
    )
  const { Icon, ink } = SHAPES[state]
  return <Icon className={cx('size-[14px]', ink)} />
}
