// Formats what a fixture did to existing rows. Pure.
import type { KeptRows, RowChanges } from '../contract/fixtures.ts'
import { printable } from '../core/printable.ts'

/** Returns texts such as `2 changed rows` and `1 removed row`, for lists of changes. */
export function rowChangeTexts({ changed, removed }: RowChanges): readonly string[] {
  return [
    ...(changed === 0 ? [] : [rowsText(changed, 'changed')]),
    ...(removed === 0 ? [] : [rowsText(removed, 'removed')]),
  ]
}

/** Returns a sentence for each table with rows that the fixture kept, and a sentence that says how to drop these rows. */
export function keptLines({ kept }: RowChanges): readonly string[] {
  if (kept.length === 0) return []
  return [
    ...kept.map(keptLine),
    'To drop everything that was made by hand, run "tenantry reset --to fixture".',
  ]
}

function keptLine({ change, columns, keys, project, reason, rows, table }: KeptRows): string {
  const where = columns.length === 0 ? '' : ` (${columns.join(', ')})`
  const isOne = rows === 1
  const why: Readonly<Record<KeptRows['reason'], string>> = {
    edited: `which ${isOne ? 'was' : 'were'} edited since the fixture wrote ${isOne ? 'it' : 'them'}${where}`,
    there_before: `which ${isOne ? 'was' : 'were'} there before the fixture had ${isOne ? 'it' : 'them'}`,
    referenced: 'to which other rows refer',
    refused: 'which the database refused to delete',
  }
  const shown = keys.map(keyText)
  const more = rows > shown.length ? [`${rows - shown.length} more`] : []
  const head = `${project}: Kept ${rowsText(rows)} of ${table}`
  const removed = change === 'removed' ? ' that the fixture no longer has' : ''
  return printable(`${head}${removed}, ${why[reason]}: ${[...shown, ...more].join('; ')}.`)
}

function keyText(key: KeptRows['keys'][number]): string {
  return Object.entries(key)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')
}

function rowsText(count: number, kind = ''): string {
  return `${count} ${kind === '' ? '' : `${kind} `}${count === 1 ? 'row' : 'rows'}`
}
