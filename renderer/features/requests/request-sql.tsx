// The statement a request became, without its parameters.
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { JournalEntry } from '../../../emulator/contract/journal.ts'
import { SqlBlock } from '../../parts/sql-text.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Section } from '../../ui/sheet.tsx'
import { factsOf, NOTHING } from './request-facts.ts'

export function RequestSql({ entry }: { readonly entry: JournalEntry }): ReactElement {
  if (entry.statement === null)
    return (
      <EmptyState
        title="No statement"
        detail="It was answered, or refused, before anything was asked of the database."
      />
    )
  const { tenant } = factsOf(entry)
  return (
    <Section
      title="Statement"
      beside={<CopyButton text={entry.statement} label="Copy the statement" words="Copy" />}
    >
      <SqlBlock
        sql={entry.statement}
        className="max-h-[60vh] overflow-auto rounded-2 border bg-surface-0 p-3"
      />
      <p className="text-ink-dim">
        {entry.row_count === null
          ? 'Rows were not counted.'
          : `${formatNumber(entry.row_count)} rows.`}{' '}
        Its values travel apart, as parameters.
      </p>
      {tenant === NOTHING ? undefined : (
        <Link
          to="/t/$tenant/sql"
          params={{ tenant }}
          className="self-start text-accent hover:underline"
        >
          Open the SQL console of {tenant}
        </Link>
      )}
    </Section>
  )
}
