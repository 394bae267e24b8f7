// Shows the X-ray of one row: the verdict in a sentence, each clause as a tree, and the policies that do not apply.
import type { ReactElement } from 'react'
import type { Explanation, RowVerdict } from '../../emulator/contract/explain.ts'
import { cx } from '../ui/cx.ts'
import { MeasuredFix } from './fixes/measured-fix.tsx'
import { VerdictIcon } from './verdict-chip.tsx'
import { verdictLead } from './verdict-words.ts'
import { skippedPolicies, xRayClause } from './x-ray-model.ts'
import { XRayClauseView } from './x-ray-tree.tsx'

/**
 * The greatest length of a sentence that shows unfolded, in characters. The tree shows the same facts as a longer
 * sentence.
 */
const SHORT = 260

/** Table verdicts that are not shown separately, because each row's verdict includes them. */
const SAID_BY_ROWS: readonly Explanation['table']['verdict'][] = ['policies_decide', 'no_policy']

export function XRay(props: {
  readonly tenant: string
  readonly explanation: Explanation
  readonly verdict: RowVerdict
}): ReactElement {
  const { tenant, explanation, verdict } = props
  return (
    <div data-testid="x-ray" className="grid gap-4">
      <Verdict explanation={explanation} verdict={verdict} />
      {verdict.clauses.map((clause) => (
        <XRayClauseView
          key={`${clause.clause} ${clause.command} ${clause.of}`}
          clause={xRayClause(clause, explanation.command)}
        />
      ))}
      <TableSays tenant={tenant} explanation={explanation} verdict={verdict} />
      <Skipped explanation={explanation} />
    </div>
  )
}

function Verdict(props: {
  readonly explanation: Explanation
  readonly verdict: RowVerdict
}): ReactElement {
  const { explanation, verdict } = props
  const { identity, command } = explanation
  const { allowed, reason, sentence } = verdict
  return (
    <div
      className={cx(
        'grid gap-1 rounded-2 border px-3 py-2',
        allowed ? 'border-allowed/40 bg-allowed/8' : 'border-refused/40 bg-refused/8',
      )}
    >
      <p
        data-testid="verdict"
        data-allowed={allowed}
        className={cx(
          'flex animate-flip items-center gap-2 font-strong',
          allowed ? 'text-allowed' : 'text-refused',
        )}
      >
        <VerdictIcon command={command} allowed={allowed} />
        {verdictLead(command, allowed)}{' '}
        <span className="min-w-0 break-words">{identity.label}</span>
      </p>
      {sentence.length <= SHORT ? (
        <p>{sentence}</p>
      ) : (
        <>
          <p className="first-letter:uppercase">{reason}</p>
          <details className="text-ink-dim">
            <summary className="w-max rounded-1 text-small hover:text-ink">Explanation</summary>
            <p className="pt-1">{sentence}</p>
          </details>
        </>
      )}
    </div>
  )
}

// Shows the verdict on the whole table, unless the verdict on the row already contains it. Shows the table's suggested fix only
// for an allowed row, because `WhyPanel` lists the fixes for a refused row.
function TableSays(props: {
  readonly tenant: string
  readonly explanation: Explanation
  readonly verdict: RowVerdict
}): ReactElement | undefined {
  const { tenant, explanation, verdict } = props
  const { table } = explanation
  const { allowed, sentence } = verdict
  const isNew = !SAID_BY_ROWS.includes(table.verdict) && table.sentence !== sentence
  const fix = allowed ? table.suggested_fix : null
  const { command, identity, relation } = explanation
  const { claims, role } = identity
  const asker = { kind: 'claims', role, claims } as const
  if (!isNew && fix === null) return undefined
  return (
    <section aria-label="The table as a whole" className="grid gap-2">
      {isNew && <p className="text-ink-dim">{table.sentence}</p>}
      {fix !== null && (
        <MeasuredFix tenant={tenant} sql={fix} of={{ relation, identity: asker, command }} />
      )}
    </section>
  )
}

function Skipped({ explanation }: { readonly explanation: Explanation }): ReactElement | undefined {
  const skipped = skippedPolicies(explanation)
  if (skipped.length === 0) return undefined
  return (
    <section className="grid gap-1">
      <h3 className="text-small text-ink-dim">Policies that don’t apply</h3>
      <ul className="grid gap-0.5">
        {skipped.map(({ name, because }) => (
          <li key={name} className="flex min-w-0 gap-2 text-ink-dim">
            <span className="truncate font-mono">{name}</span>
            <span className="shrink-0">{because}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
