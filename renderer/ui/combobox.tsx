// Selects one of many options: a button opens a list with a search field.
import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown, Search } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './cx.ts'
import { POPUP, POPUP_ITEM } from './popup.ts'
import type { Option } from './select.tsx'

export interface GroupedOption<Value extends string> extends Option<Value> {
  /** Heading of the option's group. */
  readonly group?: string | undefined
}

export interface ComboboxProps<Value extends string> {
  readonly label: string
  /** The button shows the label before the value. */
  readonly hasPrefix?: boolean
  readonly value: Value | null
  readonly options: readonly GroupedOption<Value>[]
  readonly onChange: (value: Value) => void
  /** Called when the list opens, for options that load then. */
  readonly onOpen?: () => void
  readonly placeholder?: string
  /** Icon inside the button, before the value. */
  readonly icon?: ReactNode
  readonly isMono?: boolean
  readonly isDisabled?: boolean
  /** The content below the list, e.g. a link. */
  readonly foot?: ReactNode
  readonly className?: string
}

interface OptionGroup<Value extends string> {
  readonly value: string
  readonly items: readonly GroupedOption<Value>[]
}

export function Combobox<Value extends string>({
  label,
  hasPrefix = false,
  value,
  options,
  onChange,
  onOpen,
  placeholder = 'Choose',
  icon,
  isMono = false,
  isDisabled = false,
  foot,
  className,
}: ComboboxProps<Value>): ReactElement {
  const chosen = options.find((option) => option.value === value) ?? null
  return (
    <Base.Root<GroupedOption<Value>>
      items={groupsOf(options)}
      value={chosen}
      disabled={isDisabled}
      itemToStringLabel={(option) => [option.label, option.detail].filter(Boolean).join(' ')}
      isItemEqualToValue={(one, other) => one.value === other.value}
      autoHighlight
      onOpenChange={(isOpen) => isOpen && onOpen?.()}
      onValueChange={(next) => {
        if (next !== null) onChange(next.value)
      }}
    >
      <Base.Trigger
        aria-label={label}
        className={cx(
          'inline-flex h-7 min-w-0 items-center gap-2 rounded-1 border border-line-strong bg-surface-2 px-2 text-ink hover:bg-surface-3 data-[disabled]:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-dim',
          className,
        )}
      >
        {hasPrefix && <span className="shrink-0 text-ink-dim">{label}</span>}
        {chosen?.icon ?? icon}
        <span
          className={cx(
            'flex-1 truncate text-left',
            isMono && 'font-mono',
            chosen === null && 'text-ink-dim',
          )}
        >
          {chosen?.label ?? placeholder}
        </span>
        <ChevronsUpDown />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} align="start" className="z-40">
          <Base.Popup className={cx(POPUP, 'flex w-80 flex-col p-0')} aria-label={label}>
            <div className="flex items-center gap-2 border-b px-3 [&_svg]:size-3 [&_svg]:text-ink-dim">
              <Search />
              <Base.Input
                placeholder="Search"
                aria-label={`Search: ${label}`}
                className="h-8 flex-1 bg-transparent outline-none placeholder:text-ink-dim"
              />
            </div>
            <Base.Empty className="p-3 text-ink-dim empty:hidden">No matches.</Base.Empty>
            <Base.List className="max-h-80 overflow-auto p-1 empty:hidden">
              {(group: OptionGroup<Value>) => (
                <OptionGroupList key={group.value} group={group} isMono={isMono} />
              )}
            </Base.List>
            {foot !== undefined && <div className="border-t p-2">{foot}</div>}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function OptionGroupList<Value extends string>(props: {
  readonly group: OptionGroup<Value>
  readonly isMono: boolean
}): ReactElement {
  const { group, isMono } = props
  return (
    <Base.Group items={group.items}>
      {group.value !== '' && (
        <Base.GroupLabel className="px-2 pt-2 pb-1 text-small text-ink-dim">
          {group.value}
        </Base.GroupLabel>
      )}
      <Base.Collection>
        {(option: GroupedOption<Value>) => (
          <Base.Item key={option.value} value={option} className={POPUP_ITEM}>
            {option.icon}
            <span className={cx('flex-1 truncate', isMono && 'font-mono')}>{option.label}</span>
            <span className="shrink-0 text-small text-ink-dim">{option.detail}</span>
            <Base.ItemIndicator className="[&_svg]:text-accent">
              <Check />
            </Base.ItemIndicator>
          </Base.Item>
        )}
      </Base.Collection>
    </Base.Group>
  )
}

function groupsOf<Value extends string>(
  options: readonly GroupedOption<Value>[],
): readonly OptionGroup<Value>[] {
  const groups = Map.groupBy(options, ({ group = '' }) => group)
  return [...groups].map(([value, items]) => ({ value, items }))
}
