// The row of a change. Shows new values, with the old value beside each value that changed, or the values of a deleted row.
import type { ReactElement } from 'react'
import type { JudgedChange } from '../../../../emulator/contract/realtime.ts'
import { textOfValue } from '../../../parts/row-text.ts'
import { cx } from '../../../ui/cx.ts'
import { Section } from '../../../ui/sheet.tsx'
import { EMPTY } from '../texts.ts'

const TITLES: Readonly<Record<JudgedChange['event'], string>> = {
  INSERT: 'New row',
  UPDATE: 'Old → new row',
  DELETE: 'Deleted row',
}

export function RowValues({ change }: { readonly change: JudgedChange }): ReactElement {
  const { event, old_row: old, row } = change
  const shown = event === 'DELETE' ? (old ?? row) : row
  return (
    <Section title={TITLES[event]}>
      {shown === null ? (
        <p className="text-ink-dim">{EMPTY.row}</p>
      ) : (
        <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1">
          {Object.entries(shown).map(([name, value]) => (
            <Value
              key={name}
              name={name}
              text={textOfValue(value)}
              before={event === 'UPDATE' && old !== null ? textOfValue(old[name]) : undefined}
              isDeleted={event === 'DELETE'}
            />
          ))}
        </dl>
      )}
    </Section>
  )
}

function Value(props: {
  readonly name: string
  readonly text: string
  /** `undefined` when there is no old row. */
  readonly before: string | undefined
  readonly isDeleted: boolean
}): ReactElement {
  const { name, text, before, isDeleted } = props
  const hasChanged = before !== undefined && before !== text
  return (
    <>
      <dt className="text-ink-dim">{name}</dt>
      <dd data-changed={hasChanged || undefined} className="min-w-0 font-mono break-words">
        {hasChanged && (
          <>
            <del className="text-ink-dim">{before}</del>
            <span aria-hidden="true" className="px-2 text-ink-dim">
              →
            </span>
          </>
        )}
        <span className={cx(hasChanged && 'text-changed', isDeleted && 'text-refused')}>
          {text}
        </span>
      </dd>
    </>
  )
}
