// Chooses the canary tenants, which get the steps before the other selected tenants.
import { type ReactElement, useId } from 'react'
import { Checkbox } from '../../ui/checkbox.tsx'
import { HINTS } from './texts.ts'

export function CanaryChoice(props: {
  /** Slugs of the selected tenants. */
  readonly tenants: readonly string[]
  readonly canary: readonly string[]
  readonly onChange: (canary: readonly string[]) => void
}): ReactElement {
  const { tenants, canary, onChange } = props
  const hint = useId()
  return (
    <fieldset aria-describedby={hint} className="flex min-w-0 flex-col gap-1">
      <legend className="pb-1 font-medium">
        Canary tenants <span className="text-ink-dim">{canary.length || 'none'}</span>
      </legend>
      <p id={hint} className="text-small text-ink-dim">
        {HINTS.canary}
      </p>
      <ul className="grid max-h-40 grid-cols-2 gap-x-4 gap-y-1 overflow-auto rounded-2 border bg-surface-0 px-3 py-2 font-mono">
        {tenants.map((slug) => (
          <li key={slug} className="truncate">
            <Checkbox
              label={slug}
              isChecked={canary.includes(slug)}
              onChange={(isChosen) =>
                onChange(isChosen ? [...canary, slug] : canary.filter((one) => one !== slug))
              }
            />
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
