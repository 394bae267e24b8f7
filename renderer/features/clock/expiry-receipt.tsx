// The receipt of the last move of the clock: the names of entries that expired because of the move.
import { ReceiptText } from 'lucide-react'
import type { ReactElement } from 'react'
import type { ExpiryReceipt } from '../../../emulator/contract/clock.ts'
import { useExpiryReceipt } from '../../api/clock.ts'
import { parseInstant } from '../../api/time.ts'
import { countOf } from '../../ui/form-values.ts'
import { exactTime, formatDuration } from '../../ui/format.ts'
import { detailText, KINDS, namesOf } from './texts.ts'

/** Shows the receipt. Shows nothing when the clock was never moved forward, or was moved back since. */
export function ExpiryReceiptPanel(): ReactElement | undefined {
  const { data: receipt } = useExpiryReceipt()
  if (receipt == null) return undefined
  return <Receipt receipt={receipt} />
}

function Receipt({ receipt }: { readonly receipt: ExpiryReceipt }): ReactElement {
  const { expired, from, to, total } = receipt
  const [start, end] = [parseInstant(from) ?? 0, parseInstant(to) ?? 0]
  const listed = expired.reduce((sum, { count }) => sum + count, 0)
  return (
    <section
      aria-label="Last move"
      className="flex flex-col gap-2 rounded-3 border border-clock/40 bg-clock/5 p-4"
    >
      <h2 className="flex items-center gap-2 font-strong">
        <ReceiptText className="size-4 text-clock" />
        {total === 0 ? 'Nothing expired' : `${total.toLocaleString('en-US')} expired`}
        <span className="font-normal text-ink-dim">
          moved by {formatDuration(Math.round((end - start) / 1_000) * 1_000)}, from{' '}
          {exactTime(start).slice(0, 19)} to {exactTime(end).slice(0, 19)}
        </span>
      </h2>
      {total > 0 && (
        <p role="status" className="line-clamp-2 break-words" title={namesOf(receipt)}>
          {namesOf(receipt)}
        </p>
      )}
      {total > listed && (
        <p className="text-small text-ink-dim">
          {countOf(total - listed, 'more entry', 'more entries')} not listed
        </p>
      )}
      {expired.length > 1 && (
        <details>
          <summary className="cursor-pointer text-small text-accent">Show each</summary>
          <ul aria-label="Expired" className="flex max-h-60 flex-col overflow-auto pt-2">
            {expired.map(({ at, count, detail, kind, schema_name: schema, subject }, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: expiries have no id, and two can be equal
              <li key={place} className="flex gap-4 border-t py-1">
                <span className="w-40 shrink-0 text-ink-dim tabular-nums">
                  {exactTime(parseInstant(at) ?? 0).slice(0, 19)}
                </span>
                <span className="w-40 shrink-0">
                  {KINDS[kind]}
                  {count > 1 && <span className="text-ink-dim"> × {count}</span>}
                </span>
                <span className="w-24 shrink-0 truncate">
                  {schema?.replace(/^proj_/, '') ?? '–'}
                </span>
                <span className="min-w-0 truncate font-mono">
                  {subject ?? detailText({ detail, kind }) ?? '–'}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  )
}
