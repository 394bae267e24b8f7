// Shows a value that is shortened in the middle when space is short. Selecting and copying yields the complete value.
import type { ReactElement } from 'react'
import { CopyButton } from './copy-button.tsx'
import { cx } from './cx.ts'
import { splitForMiddle } from './truncate.ts'

export interface MiddleTruncateProps {
  readonly text: string
  /** Number of characters at the end that always show. */
  readonly tail?: number
  readonly isMono?: boolean
  /** The label of a copy button beside the value. The button shows only with a label. */
  readonly copyLabel?: string
}

export function MiddleTruncate(props: MiddleTruncateProps): ReactElement {
  const { text, tail = 6, isMono = true, copyLabel } = props
  const [head, end] = splitForMiddle(text, tail)
  return (
    <span
      title={text}
      className={cx('inline-flex max-w-full min-w-0 items-center', isMono && 'font-mono')}
    >
      <span className="truncate whitespace-pre">{head}</span>
      <span className="shrink-0 whitespace-pre">{end}</span>
      {copyLabel !== undefined && <CopyButton text={text} label={copyLabel} />}
    </span>
  )
}
