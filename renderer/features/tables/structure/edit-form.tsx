// The common frame of the forms that edit a structure: the fields, the resulting statement, and a button that opens the change
// sheet.
import { type ReactElement, type ReactNode, useEffect, useRef } from 'react'
import { type StructureEdit, statementsOf } from '../../../../emulator/contract/structure-edits.ts'
import { SqlBlock } from '../../../parts/sql-text.tsx'
import { firstField } from '../../../ui/first-field.ts'
import { Form } from '../../../ui/form.tsx'
import type { Edit } from './use-edits.ts'

export function EditForm(props: {
  readonly label: string
  /** `undefined` while the fields are not complete. */
  readonly edit: StructureEdit | undefined
  readonly onEdit: Edit
  readonly onCancel: () => void
  readonly children: ReactNode
}): ReactElement {
  const { children, edit, label, onCancel, onEdit } = props
  const statements = edit === undefined ? [] : statementsOf(edit)
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => firstField(frame.current)?.focus(), [])
  return (
    <div ref={frame} className="rounded-2 border border-accent/40 bg-surface-2/50 p-3">
      <Form
        label={label}
        form={{
          isReady: statements.length > 0,
          submit: () => {
            if (edit !== undefined) onEdit(edit)
          },
        }}
        action="Review change…"
        onCancel={onCancel}
      >
        <h3 className="font-strong">{label}</h3>
        {children}
        {statements.length > 0 && (
          <figure
            aria-label="Statement"
            className="rounded-2 border bg-surface-0 px-2 py-1.5 text-small"
          >
            <SqlBlock sql={statements.map((one) => `${one};`).join('\n')} />
          </figure>
        )}
      </Form>
    </div>
  )
}
