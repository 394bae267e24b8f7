// Lists the smallest changes that would reverse a row's verdict. Each change shows how many other rows it would expose.
import { Braces, KeyRound, Rows3, ShieldHalf, TriangleAlert } from 'lucide-react'
import type { ReactElement } from 'react'
import type { SuggestedFix } from '../../emulator/contract/explain.ts'
import { RunnableSql } from './sql-actions.tsx'

const KINDS = {
  policy: { icon: ShieldHalf, word: 'policy' },
  row: { icon: Rows3, word: 'row' },
  grant: { icon: KeyRound, word: 'grant' },
  claims: { icon: Braces, word: 'claims' },
} as const

export function SuggestedFixList({
  tenant,
  fixes,
}: {
  readonly tenant: string
  readonly fixes: readonly SuggestedFix[]
}): ReactElement {
  if (fixes.length === 0)
    return (
      <p className="text-ink-dim">
        No single change of the row, a policy or a grant changes the decision.
      </p>
    )
  return (
    <ol className="grid gap-3">
      {fixes.map((fix) => (
        <li key={fix.sql} className="grid gap-1.5">
          <FixHead fix={fix} />
          <RunnableSql tenant={tenant} sql={fix.sql} label={`SQL: ${fix.title}`} />
        </li>
      ))}
    </ol>
  )
}

function FixHead({ fix }: { readonly fix: SuggestedFix }): ReactElement {
  const { icon: Icon, word } = KINDS[fix.changes]
  return (
    <div className="flex items-start gap-2">
      <span className="inline-flex h-5 shrink-0 items-center gap-1 rounded-1 border border-line-strong bg-surface-2 px-1 text-small text-ink-dim">
        <Icon aria-hidden size={11} />
        {word}
      </span>
      <p className="min-w-0 flex-1">{fix.title}</p>
      <Exposure rows={fix.exposes_rows} />
    </div>
  )
}

function Exposure({ rows }: { readonly rows: number | null }): ReactElement {
  if (rows === null)
    return <span className="mt-px shrink-0 text-small text-unknown">? other rows</span>
  if (rows === 0)
    return <span className="mt-px shrink-0 text-small text-allowed">✓ no other row</span>
  return (
    <span className="mt-px inline-flex shrink-0 items-center gap-1 text-small font-strong text-clock">
      <TriangleAlert aria-hidden size={11} />
      exposes {rows.toLocaleString('en')} other {rows === 1 ? 'row' : 'rows'}
    </span>
  )
}
