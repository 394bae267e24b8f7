// The coloured tokens of a piece of SQL; loaded by sql-text.tsx only.
import { Fragment, type ReactElement } from 'react'
import { prettyCondition, type SqlTokenKind, sqlTokens } from './sql-syntax.ts'

const INKS: Readonly<Partial<Record<SqlTokenKind, string>>> = {
  keyword: 'text-accent',
  value: 'text-changed',
  sign: 'text-ink-dim',
  comment: 'text-ink-dim italic',
}

export function SqlPieces({
  sql,
  isCondition,
}: {
  readonly sql: string
  readonly isCondition: boolean
}): ReactElement {
  const tokens = sqlTokens(isCondition ? prettyCondition(sql) : sql)
  return (
    <>
      {tokens.map(({ kind, text }, position) => {
        const ink = INKS[kind]
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
        if (ink === undefined) return <Fragment key={position}>{text}</Fragment>
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text have no other name
          <span key={position} className={ink}>
            {text}
          </span>
        )
      })}
    </>
  )
}
