// Shows SQL for reading. The SQL is uncoloured until the grammar has loaded.
import { lazy, type ReactElement, Suspense } from 'react'
import { cx } from '../ui/cx.ts'

const Pieces = lazy(async () => {
  const { SqlPieces } = await import('./sql-pieces.tsx')
  return { default: SqlPieces }
})

/** SQL within a line of text. */
export function SqlText({ sql }: { readonly sql: string }): ReactElement {
  return (
    <code className="font-mono text-ink break-words">
      <Suspense fallback={sql}>
        <Pieces sql={sql} isCondition={false} />
      </Suspense>
    </code>
  )
}

/** SQL as a block. `isCondition` formats a policy's expression over several lines. */
export function SqlBlock(props: {
  readonly sql: string
  readonly isCondition?: boolean
  /** The block scrolls when `className` bounds its height. */
  readonly isScrolling?: boolean
  readonly className?: string
}): ReactElement {
  const { sql, isCondition = false, isScrolling = false, className } = props
  return (
    <pre
      // Keyboard users must be able to scroll the block.
      {...(isScrolling && { tabIndex: 0, role: 'group', 'aria-label': 'SQL' })}
      className={cx(
        'font-mono text-ink whitespace-pre-wrap break-words',
        isScrolling && 'overflow-auto',
        className,
      )}
    >
      <Suspense fallback={sql}>
        <Pieces sql={sql} isCondition={isCondition} />
      </Suspense>
    </pre>
  )
}
