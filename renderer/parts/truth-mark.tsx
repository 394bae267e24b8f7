// Marks for the values true, false, null and error: a round check, a square cross, a dashed ring, a triangle.
import { Check, CircleDashed, TriangleAlert, X } from 'lucide-react'
import type { ReactElement } from 'react'
import type { TruthValue } from '../../emulator/contract/explain.ts'
import { cx } from '../ui/cx.ts'

const WORDS: Readonly<Record<TruthValue, string>> = {
  true: 'true',
  false: 'false',
  null: 'null (unknown)',
  error: 'error',
}

const FRAMES: Readonly<Record<TruthValue, string>> = {
  true: 'rounded-full bg-allowed/16 text-allowed',
  false: 'rounded-1 bg-refused/16 text-refused',
  null: 'rounded-full text-unknown',
  error: 'text-refused',
}

const ICONS = { true: Check, false: X, null: CircleDashed, error: TriangleAlert } as const

/** `label` replaces the value's word for screen readers. Pass an empty label when a visible word is beside the mark. */
export function TruthMark(props: {
  readonly value: TruthValue
  readonly label?: string
}): ReactElement {
  const { value, label = WORDS[value] } = props
  const Icon = ICONS[value]
  const naming = label === '' ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label }
  return (
    <span
      {...naming}
      data-truth={value}
      className={cx('inline-grid size-4 shrink-0 place-items-center', FRAMES[value])}
    >
      <Icon size={value === 'null' ? 14 : 12} strokeWidth={2.5} />
    </span>
  )
}

/** The text colour that belongs to a value. */
export function truthInk(value: TruthValue): string {
  if (value === 'true') return 'text-allowed'
  return value === 'null' ? 'text-unknown' : 'text-refused'
}
