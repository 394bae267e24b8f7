// SQL for reading. It shows plain until the grammar has loaded, then coloured.
import { lazy, type ReactElement, Suspense } from 'react'
import { cx } from '../ui/cx.ts'

const Pieces = lazy(async () => {
  const { SqlPieces } = await import('./sql-pieces.tsx')
  return { default: SqlPieces }
})

/** In the middle of a line. */
export function SqlText({ sql }: { readonly sql: string }): ReactElement {
  return (
    <code className="font-mono text-ink break-words">
      <Suspense fallback={sql}>
        <Pieces sql={sql} isCondition={false} />
      </Suspense>
    </code>
  )
}

/** A block of its own; `isCondition` lays out a policy's expression over lines. */
export function SqlBlock({
  sql,
  isCondition = false,
  className,
}: {
  readonly sql: string
  readonly isCondition?: boolean
  readonly className?: string
}): ReactElement {
  return (
    <pre className={cx('font-mono text-ink whitespace-pre-wrap break-words', className)}>
      <Suspense fallback={sql}>
        <Pieces sql={sql} isCondition={isCondition} />
      </Suspense>
    </pre>
  )
}
