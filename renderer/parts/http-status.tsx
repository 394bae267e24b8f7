// Shows an HTTP status. The status class decides shape and colour.
import { Check, CircleOff, CornerDownRight, TriangleAlert, X } from 'lucide-react'
import type { ReactElement } from 'react'
import { cx } from '../ui/cx.ts'

/** Status 0 means that there was no response. */
export function HttpStatus({ status }: { readonly status: number }): ReactElement {
  const { ink, Shape } = lookOf(status)
  return (
    <span
      data-status={status}
      className={cx('inline-flex items-center gap-1 font-mono tabular-nums', ink)}
    >
      <Shape className="size-3 shrink-0" strokeWidth={2.5} />
      {status < 100 ? 'none' : status}
    </span>
  )
}

function lookOf(status: number): { readonly ink: string; readonly Shape: typeof Check } {
  if (status < 100) return { ink: 'text-unknown', Shape: CircleOff }
  if (status < 300) return { ink: 'text-allowed', Shape: Check }
  if (status < 400) return { ink: 'text-changed', Shape: CornerDownRight }
  if (status < 500) return { ink: 'text-refused', Shape: X }
  return { ink: 'text-refused', Shape: TriangleAlert }
}
