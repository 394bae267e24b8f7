// Tabs that switch between views. The caller stores which tab is open, usually in the address.
import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactElement, ReactNode } from 'react'

export interface Tab<Value extends string> {
  readonly value: Value
  readonly label: string
  /** A count or a chip after the label. */
  readonly beside?: ReactNode
}

export interface TabsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly tabs: readonly Tab<Value>[]
  readonly onChange: (value: Value) => void
  /** The content of the open tab. */
  readonly children: ReactNode
  /** The content at the right of the tabs. */
  readonly actions?: ReactNode
}

export function Tabs<Value extends string>(props: TabsProps<Value>): ReactElement {
  const { label, value, tabs, onChange, children, actions } = props
  return (
    <Base.Root
      value={value}
      onValueChange={(next: Value) => onChange(next)}
      className="flex min-h-0 min-w-0 flex-1 flex-col"
    >
      <div className="flex h-9 shrink-0 items-center border-b px-2">
        <Base.List aria-label={label} className="flex h-full items-stretch">
          {tabs.map((tab) => (
            <Base.Tab
              key={tab.value}
              value={tab.value}
              className="-mb-[1px] flex items-center gap-2 border-b-2 border-transparent px-3 text-ink-dim hover:text-ink data-[active]:border-b-accent data-[active]:text-ink"
            >
              {tab.label}
              {tab.beside}
            </Base.Tab>
          ))}
        </Base.List>
        <div className="ml-auto flex items-center gap-2">{actions}</div>
      </div>
      <Base.Panel value={value} className="flex min-h-0 flex-1 flex-col overflow-auto outline-none">
        {children}
      </Base.Panel>
    </Base.Root>
  )
}
