// The fields for the values of $1, $2 … below the editor.
import type { ReactElement } from 'react'
import { cx } from '../../ui/cx.ts'
import { FIELD } from '../../ui/popup.ts'

export function ParameterFields(props: {
  readonly values: readonly (string | null)[]
  readonly onChange: (values: readonly (string | null)[]) => void
}): ReactElement | undefined {
  const { onChange, values } = props
  if (values.length === 0) return undefined
  const put = (place: number, value: string | null) => onChange(values.with(place, value))
  return (
    <fieldset
      aria-label="Parameters"
      className="flex max-h-28 shrink-0 flex-wrap items-center gap-x-4 gap-y-1 overflow-auto border-t bg-surface-1 px-3 py-1"
    >
      {values.map((value, place) => (
        <Parameter
          // biome-ignore lint/suspicious/noArrayIndexKey: a parameter is its place
          key={place}
          place={place + 1}
          value={value}
          onChange={(next) => put(place, next)}
        />
      ))}
    </fieldset>
  )
}

function Parameter(props: {
  readonly place: number
  readonly value: string | null
  readonly onChange: (value: string | null) => void
}): ReactElement {
  const { onChange, place, value } = props
  const isNull = value === null
  return (
    <span className="flex items-center gap-1 font-mono">
      <label className="flex items-center gap-1">
        <span className="text-ink-dim">${place}</span>
        <input
          value={value ?? ''}
          placeholder={isNull ? 'null' : 'empty text'}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => onChange(event.target.value)}
          className={cx(FIELD, 'w-44 font-mono')}
        />
      </label>
      <button
        type="button"
        aria-pressed={isNull}
        aria-label={`$${place} is null`}
        onClick={() => onChange(isNull ? '' : null)}
        className={cx(
          'h-6 rounded-1 border px-1 text-small',
          isNull ? 'border-accent/40 bg-accent/15 text-ink' : 'border-line-strong text-ink-dim',
        )}
      >
        null
      </button>
    </span>
  )
}
