// Lists coming expiries, soonest first, and marks those that would expire at the chosen instant.
import { Clock, SkipForward } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import type { ClockCommand, Expiry } from '../../../emulator/contract/clock.ts'
import { isoOf, parseInstant } from '../../api/time.ts'
import { Button } from '../../ui/button.tsx'
import { Chip } from '../../ui/chip.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { Action } from '../../ui/form-action.ts'
import { countOf } from '../../ui/form-values.ts'
import { Countdown } from '../../ui/timestamp.tsx'
import type { Coming } from './coming-expiries.ts'
import { detailText, EMPTY, KINDS } from './texts.ts'

/** Number of rows that show until the user asks for all rows. */
const FIRST_ROWS = 10

export function ExpiryTable(props: {
  readonly coming: readonly Coming[]
  /** Number of rows at the beginning of the table that would expire by the time that the user chose. */
  readonly due: number
  readonly total: number
  readonly move: Action<ClockCommand>
}): ReactElement {
  const { coming, due, total, move } = props
  const [isOpen, setOpen] = useState(false)
  if (coming.length === 0) return <EmptyState icon={<Clock />} {...EMPTY} />
  const shown = isOpen ? coming : coming.slice(0, Math.max(FIRST_ROWS, due))
  return (
    <div className="flex flex-col gap-2">
      <div className="overflow-x-auto">
        <table aria-label="Upcoming expiries" className="w-full text-left">
          <thead className="text-small text-ink-dim">
            <tr>
              {['Expires in', 'Kind', 'Tenant', 'For', 'Detail'].map((name) => (
                <th key={name} scope="col" className="h-7 pr-4 font-normal">
                  {name}
                </th>
              ))}
              <th scope="col">
                <span className="sr-only">Jump</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((expiry, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: expiries have no id, and two can be equal
              <Row key={place} expiry={expiry} isDue={place < due} move={move} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="flex items-center gap-2 text-small text-ink-dim empty:hidden">
        {shown.length < coming.length && (
          <Button size="small" onClick={() => setOpen(true)}>
            Show {countOf(coming.length - shown.length, 'more entry', 'more entries')}
          </Button>
        )}
        {total > coming.length &&
          `${countOf(total - coming.length, 'later entry', 'later entries')} not listed`}
      </p>
    </div>
  )
}

/** A minute in milliseconds. Equal entries that expire within the same minute share one row. */
const MINUTE = 60_000

/** Returns a time at which all entries of the row have expired. */
function pastOf({ at, count }: Expiry): string | undefined {
  const first = parseInstant(at)
  if (first === undefined) return undefined
  const last = count > 1 ? (Math.floor(first / MINUTE) + 1) * MINUTE : first
  return isoOf(last + 1_000)
}

function Row(props: {
  readonly expiry: Coming
  readonly isDue: boolean
  readonly move: Action<ClockCommand>
}): ReactElement {
  const { expiry, isDue, move } = props
  const past = pastOf(expiry)
  const { at, count, kind, schema_name: schemaName, subject } = expiry
  const detail = detailText(expiry)
  return (
    <tr className={cx('h-7 border-t', isDue && 'bg-clock/10')}>
      <td className="w-36 pr-4 whitespace-nowrap">
        {isDue ? (
          <Chip tone="clock">
            expires (<Countdown until={at} />)
          </Chip>
        ) : (
          <Countdown until={at} />
        )}
      </td>
      <td className="pr-4 whitespace-nowrap">
        {KINDS[kind]}
        {count > 1 && <span className="text-ink-dim"> × {count}</span>}
      </td>
      <td className="pr-4 whitespace-nowrap">{schemaName?.replace(/^proj_/, '') ?? '–'}</td>
      <td className="max-w-56 truncate pr-4 font-mono" title={subject ?? undefined}>
        {subject ?? '–'}
      </td>
      <td className="max-w-56 truncate font-mono" title={detail}>
        {detail ?? '–'}
      </td>
      <td className="w-28 text-right">
        <Button
          size="small"
          tone="quiet"
          icon={<SkipForward />}
          disabled={past === undefined}
          isBusy={move.isPending}
          onClick={() => past !== undefined && move.mutate({ set: past })}
        >
          Jump past this
        </Button>
      </td>
    </tr>
  )
}
