// A checkbox, and a switch for settings that take effect immediately.
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Check, Minus } from 'lucide-react'
import { type ReactElement, use } from 'react'
import { ServerGoneContext } from './server-gone.ts'

export interface CheckboxProps {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly isChecked: boolean
  /** Shows the mixed state: some but not all items are selected. */
  readonly isPartial?: boolean
  readonly isDisabled?: boolean
  readonly onChange: (isChecked: boolean) => void
}

export function Checkbox({
  label,
  isLabelHidden = false,
  isChecked,
  isPartial = false,
  isDisabled = false,
  onChange,
}: CheckboxProps): ReactElement {
  return (
    <label className="inline-flex items-center gap-2 select-none">
      <span className="relative flex size-4 shrink-0 text-on-accent [&_svg]:pointer-events-none [&_svg]:absolute [&_svg]:inset-[2px] [&_svg]:size-3">
        {/* The browser's own checkbox: a list has one in each row. */}
        <input
          type="checkbox"
          ref={(element) => {
            if (element !== null) element.indeterminate = isPartial
          }}
          checked={isChecked}
          disabled={isDisabled}
          aria-label={isLabelHidden ? label : undefined}
          onChange={(event) => onChange(event.currentTarget.checked)}
          className="size-4 appearance-none rounded-1 border border-line-strong bg-surface-0 checked:border-accent-fill checked:bg-accent-fill indeterminate:border-accent-fill indeterminate:bg-accent-fill hover:not-checked:border-ink-dim disabled:opacity-50"
        />
        {isPartial ? <Minus /> : isChecked && <Check />}
      </span>
      {isLabelHidden ? undefined : label}
    </label>
  )
}

export function Switch(props: Omit<CheckboxProps, 'isPartial'>): ReactElement {
  const { label, isLabelHidden = false, isChecked, isDisabled = false, onChange } = props
  const isGone = use(ServerGoneContext)
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the label contains the switch
    <label className="inline-flex items-center gap-2 select-none">
      <BaseSwitch.Root
        checked={isChecked}
        disabled={isDisabled || isGone}
        aria-label={isLabelHidden ? label : undefined}
        onCheckedChange={(checked) => onChange(checked)}
        className="flex h-4 w-7 shrink-0 items-center rounded-full border border-line-strong bg-surface-3 p-[1px] transition-colors data-[checked]:border-accent-fill data-[checked]:bg-accent-fill data-[disabled]:opacity-50"
      >
        <BaseSwitch.Thumb className="size-3 rounded-full bg-ink-dim transition-transform data-[checked]:translate-x-3 data-[checked]:bg-on-accent" />
      </BaseSwitch.Root>
      {isLabelHidden ? undefined : label}
    </label>
  )
}
