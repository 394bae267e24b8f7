// The fields of a column: name, type, whether it may be null, and its default.
import type { ReactElement } from 'react'
import type { ColumnDraft } from '../../../../emulator/contract/structure-edits.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { FormField } from '../../../ui/form.tsx'
import { optionsOf } from '../../../ui/form-values.ts'
import { Select } from '../../../ui/select.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { DEFAULT_KINDS, defaultOf, textOf } from './column-draft.ts'

export function ColumnFields(props: {
  readonly draft: ColumnDraft
  readonly onChange: (draft: ColumnDraft) => void
  /** Whether Postgres computes the column, so that it has no default. */
  readonly isFixed?: boolean
}): ReactElement {
  const { draft, isFixed = false, onChange } = props
  const { default: value, isNullable, name, type } = draft
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <TextField
          label="Column"
          isMono
          value={name}
          placeholder="due_on"
          onChange={(next) => onChange({ ...draft, name: next })}
        />
        <TextField
          label="Type"
          isMono
          value={type}
          placeholder="text, integer, uuid, timestamptz, numeric(10, 2)…"
          onChange={(next) => onChange({ ...draft, type: next })}
        />
        {!isFixed && (
          <FormField label="Default">
            <Select
              label="Default"
              value={value.kind}
              options={optionsOf(DEFAULT_KINDS)}
              onChange={(kind) => onChange({ ...draft, default: defaultOf(kind, textOf(value)) })}
            />
          </FormField>
        )}
        {!isFixed && value.kind !== 'none' && (
          <TextField
            label={value.kind === 'value' ? 'Value' : 'Expression'}
            isMono
            value={textOf(value)}
            placeholder={value.kind === 'value' ? 'draft' : 'now()'}
            onChange={(text) => onChange({ ...draft, default: defaultOf(value.kind, text) })}
          />
        )}
      </div>
      <Checkbox
        label="May be null"
        isChecked={isNullable}
        onChange={(next) => onChange({ ...draft, isNullable: next })}
      />
    </>
  )
}
