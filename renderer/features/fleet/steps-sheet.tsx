// The common frame of the sheets that rehearse and apply steps: an explanation, the pending steps, the form and its result.
import type { ReactElement, ReactNode } from 'react'
import type { Fleet, FleetTenant } from '../../../emulator/contract/fleet.ts'
import { Form, type FormReading, type FormState } from '../../ui/form.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Pending } from './pending.tsx'

export interface StepsSheetProps {
  readonly fleet: Fleet
  /** Selected tenants. */
  readonly chosen: readonly FleetTenant[]
  readonly onClose: () => void
}

export function StepsSheet<Draft, Answer>(props: {
  readonly title: string
  readonly hint: string
  readonly fleet: Fleet
  readonly targets: readonly FleetTenant[]
  readonly form: FormState<Draft, Answer>
  readonly action: string
  readonly icon: ReactNode
  readonly failure: string
  readonly onClose: () => void
  readonly showAnswer: (answer: Answer) => ReactNode
  /** Fields of the form. */
  readonly children?: ReactNode
}): ReactElement {
  const { title, hint, fleet, targets, form, onClose, showAnswer, children, ...more } = props
  return (
    <Sheet title={title} label={title} name="fleet" isForm onClose={onClose}>
      <p className="text-ink-dim">{hint}</p>
      <Pending fleet={fleet} targets={targets} />
      <Form form={form} {...more}>
        {children}
      </Form>
      {form.answer !== undefined && !form.isSending && showAnswer(form.answer)}
    </Sheet>
  )
}

/** Returns the tenants in which steps can run. */
export function targetsOf(chosen: readonly FleetTenant[]): readonly FleetTenant[] {
  return chosen.filter(({ state }) => state !== 'deleted')
}

/** The form can be sent when the fleet has a template, and the emulator was given steps. */
export function readingOf<Order>(fleet: Fleet, order: Order): FormReading<object, Order> {
  return fleet.steps_given_at === null || fleet.template === null
    ? { kind: 'wrong', problems: {} }
    : { kind: 'ready', order }
}
