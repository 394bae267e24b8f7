// A checkbox, and a switch for settings that take effect immediately.
import { Checkbox as BaseCheckbox } from '@base-ui/react/checkbox'
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
    // biome-ignore lint/a11y/noLabelWithoutControl: the label contains the checkbox
    <label className="inline-flex items-center gap-2 select-none">
      <BaseCheckbox.Root
        checked={isChecked}
        indeterminate={isPartial}
        disabled={isDisabled}
        aria-label={isLabelHidden ? label : undefined}
        onCheckedChange={(checked) => onChange(checked)}
        className="flex size-4 shrink-0 items-center justify-center rounded-1 border border-line-strong bg-surface-0 hover:border-ink-dim data-[checked]:border-accent-fill data-[checked]:bg-accent-fill data-[indeterminate]:border-accent-fill data-[indeterminate]:bg-accent-fill data-[disabled]:opacity-50"
      >
        <BaseCheckbox.Indicator className="text-on-accent [&_svg]:size-3">
          {isPartial ? <Minus /> : <Check />}
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
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
