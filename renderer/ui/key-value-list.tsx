// A list of names and values, one pair per line.
import { Fragment, type ReactElement, type ReactNode } from 'react'
import { Breakable } from './breakable.tsx'
import { cx } from './cx.ts'

export interface KeyValueListProps {
  readonly items: readonly (readonly [name: string, value: ReactNode])[]
  /** Shows values in the monospace font. */
  readonly isMono?: boolean
}

export function KeyValueList({ items, isMono = false }: KeyValueListProps): ReactElement {
  return (
    <dl className="grid grid-cols-[fit-content(48%)_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1">
      {items.map(([name, value]) => (
        <Fragment key={name}>
          <dt className="min-w-24 break-words text-ink-dim">{name}</dt>
          <dd className={cx('min-w-0 break-words', isMono && 'font-mono')}>
            {typeof value === 'string' ? <Breakable text={value} /> : (value ?? '–')}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}
