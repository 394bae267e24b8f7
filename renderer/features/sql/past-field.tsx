// The field that chooses a past instant: the console then reads the rows as they were, and writes nothing.
import { type ReactElement, useId } from 'react'
import { FIELD } from '../../ui/popup.ts'

export function PastField(props: {
  readonly value: string
  readonly onChange: (value: string) => void
}): ReactElement {
  const id = useId()
  return (
    <div className="flex items-center gap-2">
      <label htmlFor={id} className="text-ink-dim whitespace-nowrap">
        As of
      </label>
      <div className="w-60">
        <input
          id={id}
          value={props.value}
          placeholder="Request ID, sequence or time"
          title="Reads the rows as they were before a request, before a change, or at a date and time in ISO 8601"
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => props.onChange(event.target.value)}
          className={FIELD}
        />
      </div>
    </div>
  )
}
