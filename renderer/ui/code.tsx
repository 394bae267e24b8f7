// Code or other machine-readable text: a block with a copy button, or a word within a line.
import type { ReactElement } from 'react'
import { CopyButton } from './copy-button.tsx'
import { cx } from './cx.ts'

export interface CodeProps {
  readonly text: string
  /** The accessible name of the block and its copy button. */
  readonly label?: string
  /** What the button copies when `text` hides parts of it. */
  readonly copied?: string
  /** The block breaks long lines instead of scrolling. */
  readonly isWrapped?: boolean
  /** Greatest height in px. Longer text scrolls. */
  readonly maxHeight?: number
}

export function Code(props: CodeProps): ReactElement {
  const { text, label = 'text', copied = text, isWrapped = false, maxHeight } = props
  return (
    <div className="group relative min-w-0 rounded-2 border bg-surface-1">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the block
        tabIndex={0}
        role="group"
        aria-label={label}
        style={maxHeight === undefined ? undefined : { maxHeight }}
        className={cx('overflow-auto p-3 pr-9', isWrapped && 'break-words whitespace-pre-wrap')}
      >
        {text}
      </pre>
      <div className="absolute top-1 right-1">
        <CopyButton text={copied} label={`Copy ${label}`} />
      </div>
    </div>
  )
}
