// Searches the history of a tenant's console, and reopens statements in the editor.
import { History } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import { SqlBlock } from '../../parts/sql-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Duration, Timestamp } from '../../ui/timestamp.tsx'
import { clearHistory, type HistoryEntry, readHistory } from './history.ts'

export function HistorySheet(props: {
  readonly tenant: string
  readonly onBring: (sql: string) => void
  readonly onClose: () => void
}): ReactElement {
  const { tenant, onBring, onClose } = props
  const [entries, setEntries] = useState(() => readHistory(tenant))
  const [words, setWords] = useState('')
  const shown = entries.filter(({ sql }) => sql.toLowerCase().includes(words.trim().toLowerCase()))
  return (
    <Sheet
      title="History"
      label="History"
      name="sql-history"
      width={400}
      onClose={onClose}
      isBare
      actions={
        <Button
          size="small"
          tone="quiet"
          disabled={entries.length === 0}
          onClick={() => {
            clearHistory(tenant)
            setEntries([])
          }}
        >
          Clear history
        </Button>
      }
    >
      <div className="border-b p-2">
        <SearchField label="Search history" value={words} onChange={setWords} className="w-full" />
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon={<History />}
          title={entries.length === 0 ? 'No statements yet' : 'No statements match'}
          detail={entries.length === 0 ? 'Statements that you run appear here.' : undefined}
        />
      ) : (
        <ul aria-label="Statements" className="min-h-0 flex-1 divide-y overflow-auto">
          {shown.map((entry) => (
            <Entry key={entry.sql} entry={entry} onBring={onBring} />
          ))}
        </ul>
      )}
    </Sheet>
  )
}

function Entry(props: {
  readonly entry: HistoryEntry
  readonly onBring: (sql: string) => void
}): ReactElement {
  const { entry, onBring } = props
  return (
    <li className="flex flex-col gap-1 px-3 py-2 hover:bg-surface-2">
      <SqlBlock sql={entry.sql} className="max-h-24 overflow-hidden" />
      <div className="flex items-center gap-2 text-small text-ink-dim">
        {entry.outcome !== 'ran' && (
          <Chip tone={entry.outcome === 'failed' ? 'refused' : 'neutral'}>{entry.outcome}</Chip>
        )}
        <Timestamp at={entry.at} />
        <span className="truncate">as {entry.as}</span>
        <Duration millis={entry.millis} />
        <span className="ml-auto flex items-center gap-1">
          <CopyButton text={entry.sql} label="Copy statement" />
          <Button size="small" onClick={() => onBring(entry.sql)}>
            Open in editor
          </Button>
        </span>
      </div>
    </li>
  )
}
