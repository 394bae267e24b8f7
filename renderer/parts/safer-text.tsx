// Shows what the audit advises instead of a policy.
import type { ReactElement } from 'react'
import { SqlText } from './sql-text.tsx'

/** @param props.text a statement, or a sentence */
export function SaferText({ text }: { readonly text: string }): ReactElement {
  const isStatement = /^[A-Z]+ [A-Z].*;$/s.test(text)
  return (
    <p className="pl-6">
      <span className="text-ink-dim">Safer: </span>
      {isStatement ? <SqlText sql={text} /> : text}
    </p>
  )
}
