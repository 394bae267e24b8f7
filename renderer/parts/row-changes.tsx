// Lists what a fixture did to existing rows, and which rows stayed although the fixture changed.
import type { ReactElement } from 'react'
import type { KeptRows, RowChanges } from '../../emulator/contract/fixtures.ts'
import { countOf } from '../ui/form-values.ts'

/** Shows nothing when the fixture changed, removed or kept no existing row. */
export function RowChangeList({ rows }: { readonly rows: RowChanges }): ReactElement | null {
  const { changed, kept, removed } = rows
  if (changed + removed + kept.length === 0) return null
  return (
    <ul aria-label="Rows that were there already" className="flex flex-col gap-1">
      {changed > 0 && <li>{countOf(changed, 'row')} changed</li>}
      {removed > 0 && <li>{countOf(removed, 'row')} removed</li>}
      {kept.map((one) => (
        <li key={`${one.project} ${one.table} ${one.change} ${one.reason}`} className="break-words">
          {keptText(one)}
        </li>
      ))}
    </ul>
  )
}

const REASONS: Readonly<Record<KeptRows['reason'], string>> = {
  edited: 'edited since the fixture wrote them',
  there_before: 'there before the fixture had them',
  referenced: 'other rows refer to them',
  refused: 'the database refused to delete them',
}

function keptText({ change, columns, keys, project, reason, rows, table }: KeptRows): string {
  const removed = change === 'removed' ? ' that the fixture no longer has' : ''
  const where = columns.length === 0 ? '' : `, ${columns.join(', ')}`
  const shown = keys.map((key) => Object.values(key).join(', ')).join('; ')
  const more = rows > keys.length ? '; …' : ''
  return `${project}: ${countOf(rows, 'row')} of ${table}${removed} kept (${REASONS[reason]}${where}): ${shown}${more}`
}
