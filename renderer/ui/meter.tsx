// Shows usage against a limit: a bar with both numbers. The bar has the colour of a warning near the limit. Without a
// limit there is only the number.
import type { ReactElement } from 'react'
import { cx } from './cx.ts'

export interface MeterProps {
  readonly label: string
  readonly value: number
  /** `null` without a limit. */
  readonly limit: number | null
  /** Formats both numbers. The numbers show unformatted when `format` is absent. */
  readonly format?: (value: number) => string
  readonly isLabelHidden?: boolean
}

export function Meter(props: MeterProps): ReactElement {
  const { label, value, limit, format = String, isLabelHidden = false } = props
  const share = limit === null || limit <= 0 ? 0 : Math.min(1, value / limit)
  const isFull = limit !== null && value >= limit
  return (
    <div className="flex min-w-24 flex-col gap-1">
      <div className={cx('flex gap-2 text-small', limit !== null && 'justify-between')}>
        <span className={isLabelHidden ? 'sr-only' : 'text-ink-dim'}>{label}</span>
        <span className={cx('whitespace-nowrap', isFull ? 'text-refused' : 'text-ink')}>
          {format(value)}
          {limit !== null && ` of ${format(limit)}`}
          {isFull ? ' (full)' : ''}
        </span>
      </div>
      {limit !== null && (
        <div
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={limit}
          aria-valuenow={value}
          aria-valuetext={`${format(value)} of ${format(limit)}`}
          className="h-1 overflow-hidden rounded-full bg-surface-3"
        >
          <div
            style={{ width: `${share * 100}%` }}
            className={cx(
              'h-full',
              isFull ? 'bg-refused' : share >= 0.9 ? 'bg-clock' : 'bg-accent',
            )}
          />
        </div>
      )}
    </div>
  )
}
