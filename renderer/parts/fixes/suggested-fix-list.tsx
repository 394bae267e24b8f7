// Lists the suggested fixes of a refused row. The fix that exposes the fewest rows is first.
import { Braces, KeyRound, Rows3, ShieldHalf } from 'lucide-react'
import type { ReactElement } from 'react'
import type { SuggestedFix, SuggestedFixes } from '../../../emulator/contract/suggested-fixes.ts'
import { Chip } from '../../ui/chip.tsx'
import { ChangeButton } from '../change/change-button.tsx'
import { RunnableSql } from '../sql-actions.tsx'
import { FixEffectView, FixMark } from './fix-effect.tsx'

const KINDS = {
  policy: { icon: ShieldHalf, word: 'policy' },
  row: { icon: Rows3, word: 'row' },
  grant: { icon: KeyRound, word: 'grant' },
  claims: { icon: Braces, word: 'claims' },
} as const

export function SuggestedFixList(props: {
  readonly tenant: string
  readonly found: SuggestedFixes
}): ReactElement {
  const { found, tenant } = props
  const { advice, suggested_fixes: fixes } = found
  return (
    <div className="grid gap-4">
      {fixes.length > 0 && (
        <ol className="grid gap-4">
          {fixes.map((fix) => (
            <FixCard key={fix.sql} tenant={tenant} fix={fix} />
          ))}
        </ol>
      )}
      {advice !== null && (
        <p data-testid="fix-advice" className="text-ink-dim">
          {advice}
        </p>
      )}
      {advice === null && fixes.length === 0 && (
        <p className="text-ink-dim">
          No single change of the row, a policy or a grant changes the decision.
        </p>
      )}
    </div>
  )
}

function FixCard(props: { readonly tenant: string; readonly fix: SuggestedFix }): ReactElement {
  const { fix, tenant } = props
  const { changes, effect, sql, title } = fix
  const { icon: Icon, word } = KINDS[changes]
  return (
    <li className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Chip icon={<Icon size={11} />}>{word}</Chip>
        <FixMark effect={effect} />
      </div>
      <p className="min-w-0 font-strong">{title}</p>
      <FixEffectView effect={effect} />
      <RunnableSql tenant={tenant} sql={sql} label={`SQL: ${title}`}>
        {changes !== 'claims' && (
          <ChangeButton
            change={{
              tenant,
              title,
              statements: [sql],
              ...(changes === 'row' ? { onlyHere: 'rows' } : {}),
            }}
            label="Apply fix"
          />
        )}
      </RunnableSql>
    </li>
  )
}
