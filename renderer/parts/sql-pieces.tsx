// Renders the coloured tokens of an SQL text. Only sql-text.tsx imports this file, lazily.
import { Fragment, type ReactElement } from 'react'
import { prettyCondition, type SqlTokenKind, sqlTokens } from './sql-syntax.ts'

const INKS: Readonly<Partial<Record<SqlTokenKind, string>>> = {
  keyword: 'text-accent',
  value: 'text-changed',
  sign: 'text-ink-dim',
  comment: 'text-ink-dim italic',
}

export function SqlPieces(props: {
  readonly sql: string
  readonly isCondition: boolean
}): ReactElement {
  const { sql, isCondition } = props
  const tokens = sqlTokens(isCondition ? prettyCondition(sql) : sql)
  return (
    <>
      {tokens.map(({ kind, text }, position) => {
        const ink = INKS[kind]
        // biome-ignore lint/suspicious/noArrayIndexKey: tokens of a text have no id
        if (ink === undefined) return <Fragment key={position}>{text}</Fragment>
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens of a text have no id
          <span key={position} className={ink}>
            {text}
          </span>
        )
      })}
    </>
  )
}
