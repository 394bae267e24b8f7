// Chooses columns of a table. The order of the columns is the order of the user's clicks.
import type { ReactElement } from 'react'
import { Checkbox } from '../../../ui/checkbox.tsx'

export function PickedColumns(props: {
  readonly columns: readonly string[]
  readonly picked: readonly string[]
  readonly onPick: (picked: readonly string[]) => void
}): ReactElement {
  const { columns, onPick, picked } = props
  return (
    <fieldset className="min-w-0">
      <legend className="pb-1 text-small text-ink-dim">
        Columns, in order: {picked.length === 0 ? 'none' : picked.join(', ')}
      </legend>
      <div className="flex flex-wrap gap-x-4 gap-y-1 font-mono">
        {columns.map((column) => (
          <Checkbox
            key={column}
            label={column}
            isChecked={picked.includes(column)}
            onChange={(isPicked) =>
              onPick(isPicked ? [...picked, column] : picked.filter((one) => one !== column))
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
