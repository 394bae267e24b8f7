// SQL for reading: highlighted, unchanged, or a condition over lines.
import { Fragment, type ReactElement } from 'react'
import { cx } from '../ui/cx.ts'
import { prettyCondition, type SqlTokenKind, sqlTokens } from './sql-tokens.ts'

const INKS: Readonly<Partial<Record<SqlTokenKind, string>>> = {
  keyword: 'text-accent',
  text: 'text-changed',
  number: 'text-changed',
  sign: 'text-ink-dim',
  comment: 'text-ink-dim italic',
}

/** In the middle of a line. */
export function SqlText({ sql }: { readonly sql: string }): ReactElement {
  return (
    <code className="font-mono text-ink break-words">
      <Pieces sql={sql} />
    </code>
  )
}

/** A block of its own; `isCondition` lays a policy's expression out. */
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
      <Pieces sql={isCondition ? prettyCondition(sql) : sql} />
    </pre>
  )
}

function Pieces({ sql }: { readonly sql: string }): ReactElement {
  return (
    <>
      {sqlTokens(sql).map((token, position) => {
        const ink = INKS[token.kind]
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
        if (ink === undefined) return <Fragment key={position}>{token.text}</Fragment>
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
          <span key={position} className={ink}>
            {token.text}
          </span>
        )
      })}
    </>
  )
}
