// The tabs above the editor. The user can add, rename and close tabs, and move between them with the arrow keys.
import { Plus, X } from 'lucide-react'
import { type KeyboardEvent, type MouseEvent, type ReactElement, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import type { SqlTab, TabsControl } from './tabs.ts'

export function TabStrip({ control }: { readonly control: TabsControl }): ReactElement {
  const [naming, setNaming] = useState<string>()
  return (
    <div className="flex h-9 shrink-0 items-end gap-1 border-b bg-surface-1 px-2">
      <div
        role="tablist"
        aria-label="Queries"
        className="-mb-[1px] flex min-w-0 items-end overflow-x-auto overflow-y-hidden [scrollbar-width:none]"
      >
        {control.tabs.map((tab) =>
          tab.id === naming ? (
            <NameField
              key={tab.id}
              tab={tab}
              onDone={(name) => {
                setNaming(undefined)
                if (name !== undefined) control.rename(tab.id, name)
              }}
            />
          ) : (
            <QueryTab
              key={tab.id}
              tab={tab}
              isOpen={tab.id === control.open}
              onShow={() => control.show(tab.id)}
              onClose={() => control.close(tab.id)}
              onRename={() => setNaming(tab.id)}
            />
          ),
        )}
      </div>
      <div className="pb-1">
        <IconButton label="New query" size="small" icon={<Plus />} onClick={control.add} />
      </div>
    </div>
  )
}

function QueryTab(props: {
  readonly tab: SqlTab
  readonly isOpen: boolean
  readonly onShow: () => void
  readonly onClose: () => void
  readonly onRename: () => void
}): ReactElement {
  const { tab, isOpen, onShow, onClose, onRename } = props
  return (
    <button
      type="button"
      role="tab"
      aria-selected={isOpen}
      aria-keyshortcuts="Delete"
      tabIndex={isOpen ? 0 : -1}
      title="Double-click to rename, press Delete to close"
      onClick={(event) => (isOnCross(event) ? onClose() : onShow())}
      onAuxClick={onClose}
      onDoubleClick={(event) => isOnCross(event) || onRename()}
      onKeyDown={(event) => {
        if (event.key === 'Delete') onClose()
        if (event.key === 'F2') onRename()
        focusNeighbour(event)
      }}
      className={cx(
        'flex h-8 shrink-0 items-center gap-1 rounded-t-2 border pr-1 pl-3',
        isOpen
          ? 'border-line border-b-surface-0 bg-surface-0 text-ink'
          : 'border-transparent text-ink-dim hover:text-ink',
      )}
    >
      <span className="max-w-48 truncate">{tab.name}</span>
      <span
        data-cross
        title={`Close ${tab.name}`}
        className="rounded-1 p-1 text-ink-dim opacity-60 hover:bg-surface-3 hover:text-ink hover:opacity-100 [&_svg]:size-3"
      >
        <X />
      </span>
    </button>
  )
}

// The close icon is part of its tab, because ARIA allows only tabs in a tab list. The Delete key also closes a tab.
function isOnCross({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('[data-cross]') !== null
}

function focusNeighbour(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget: tab } = event
  const next =
    key === 'ArrowRight'
      ? tab.nextElementSibling
      : key === 'ArrowLeft'
        ? tab.previousElementSibling
        : null
  if (!(next instanceof HTMLElement)) return
  event.preventDefault()
  next.focus()
}

function NameField(props: {
  readonly tab: SqlTab
  readonly onDone: (name: string | undefined) => void
}): ReactElement {
  const { tab, onDone } = props
  const [name, setName] = useState(tab.name)
  return (
    <input
      ref={(field) => field?.focus()}
      aria-label="Name of the query"
      value={name}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => onDone(name)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onDone(name)
        if (event.key === 'Escape') onDone(undefined)
      }}
      className="mb-1 h-6 w-40 rounded-1 border border-line-strong bg-surface-0 px-2"
    />
  )
}
