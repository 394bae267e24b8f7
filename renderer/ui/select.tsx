// Selects one of a few options. Use Combobox for more than a dozen options.
import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { type ReactElement, type ReactNode, use } from 'react'
import { cx } from './cx.ts'
import { POPUP, POPUP_ITEM, PopupPlace } from './popup.ts'

export interface Option<Value extends string> {
  readonly value: Value
  readonly label: string
  /** A dimmed note at the right of the option. */
  readonly detail?: string
  readonly icon?: ReactNode
}

export interface SelectProps<Value extends string> {
  readonly label: string
  /** The button shows the label before the value. */
  readonly hasPrefix?: boolean
  readonly value: Value | null
  readonly options: readonly Option<Value>[]
  readonly onChange: (value: Value) => void
  readonly placeholder?: string
  readonly isDisabled?: boolean
  readonly isMono?: boolean
  readonly size?: 'small' | 'usual'
  readonly className?: string
}

export function Select<Value extends string>({
  label,
  hasPrefix = false,
  value,
  options,
  onChange,
  placeholder = 'Choose',
  isDisabled = false,
  isMono = false,
  size = 'usual',
  className,
}: SelectProps<Value>): ReactElement {
  const place = use(PopupPlace)
  return (
    <Base.Root
      items={options.map((option) => ({ value: option.value, label: option.label }))}
      value={value}
      disabled={isDisabled}
      onValueChange={(next: Value | null) => {
        if (next !== null) onChange(next)
      }}
    >
      <Base.Trigger
        aria-label={label}
        className={cx(
          'inline-flex min-w-0 items-center gap-2 rounded-1 border border-line-strong bg-surface-2 px-2 text-ink hover:bg-surface-3 data-[disabled]:opacity-50',
          size === 'small' ? 'h-6 text-small' : 'h-7',
          isMono && 'font-mono',
          className,
        )}
      >
        {hasPrefix && <span className="text-ink-dim">{label}</span>}
        <Base.Value className="flex-1 truncate text-left" placeholder={placeholder} />
        <Base.Icon className="text-ink-dim [&_svg]:size-3">
          <ChevronDown />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal container={place}>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-40">
          <Base.Popup className={cx(POPUP, 'min-w-(--anchor-width)')}>
            <Base.List>
              {options.map((option) => (
                <Base.Item key={option.value} value={option.value} className={POPUP_ITEM}>
                  <span className="flex size-4 items-center">
                    <Base.ItemIndicator className="[&_svg]:text-accent">
                      <Check />
                    </Base.ItemIndicator>
                  </span>
                  {option.icon}
                  <Base.ItemText className={cx('flex-1', isMono && 'font-mono')}>
                    {option.label}
                  </Base.ItemText>
                  {option.detail !== undefined && (
                    <span className="pl-4 text-small text-ink-dim">{option.detail}</span>
                  )}
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
