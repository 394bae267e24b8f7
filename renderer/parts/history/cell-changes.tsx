// Old and new values of the columns that a change wrote: a small diff below the name of the row.
import { Fragment, type ReactElement } from 'react'
import type { RowHistoryEntry } from '../../../emulator/contract/history.ts'
import { cx } from '../../ui/cx.ts'
import { type CellKind, displayText } from '../cell-kind.ts'
import { CellValue } from '../cell-value.tsx'
import type { RowKey } from '../row-key.ts'
import type { ColumnKinds } from './use-column-kinds.ts'

export interface CellChangesProps {
  readonly kind: RowHistoryEntry['kind']
  readonly rowKey: RowKey
  readonly columns: RowHistoryEntry['columns']
  /** The kind of each column, where the caller knows the table. */
  readonly kinds?: ColumnKinds | undefined
}

export function CellChanges(props: CellChangesProps): ReactElement | undefined {
  const { kind, kinds } = props
  const shown = shownColumns(props)
  if (shown.length === 0) return undefined
  return (
    <dl className="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-3 gap-y-[2px] font-mono text-small">
      {shown.map(([name, [old, fresh]]) => {
        const cell = kinds?.get(name) ?? 'text'
        return (
          <Fragment key={name}>
            <dt className="break-words text-ink-dim">{name}</dt>
            <dd className="min-w-0 break-words">
              {kind !== 'INSERT' && <Value kind={cell} text={old} className="bg-refused/10" />}
              {kind === 'UPDATE' && (
                <>
                  {' '}
                  <span aria-hidden="true" className="text-ink-dim">
                    →
                  </span>
                  <span className="sr-only">to</span>{' '}
                </>
              )}
              {kind !== 'DELETE' && <Value kind={cell} text={fresh} className="bg-allowed/10" />}
            </dd>
          </Fragment>
        )
      })}
    </dl>
  )
}

/** Leaves out the key of a new or deleted row, which the row's name has already, unless the row has no other values. */
function shownColumns({ columns, kind, rowKey }: CellChangesProps) {
  const all = Object.entries(columns)
  if (kind === 'UPDATE') return all
  const others = all.filter(([name]) => !(name in rowKey))
  return others.length === 0 ? all : others
}

function Value(props: {
  readonly kind: CellKind
  readonly text: string | null
  readonly className: string
}): ReactElement {
  const { className, kind, text } = props
  const isCut = text !== null && text !== '' && displayText(kind, text) !== text
  return (
    <span
      title={isCut ? text : undefined}
      className={cx('rounded-1 px-1 [box-decoration-break:clone]', className)}
    >
      <CellValue kind={kind} value={text} />
    </span>
  )
}
