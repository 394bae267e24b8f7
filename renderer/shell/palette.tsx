// The palette (Ctrl/Cmd+K). The palette lists screens, tenants, tables of the current tenant and actions, and finds users,
// requests and rows.
import { Autocomplete } from '@base-ui/react/autocomplete'
import { Search } from 'lucide-react'
import { type ReactElement, useRef, useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { POPUP_ITEM } from '../ui/popup.ts'
import type { PaletteEntry } from './palette-entry.ts'
import { type PaletteGroup, usePaletteEntries } from './use-palette-entries.ts'

export function Palette(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
}): ReactElement {
  const { isOpen, onClose } = props
  return (
    <Dialog title="Go to" isOpen={isOpen} onClose={onClose} isBare width="wide">
      <PaletteList onClose={onClose} />
    </Dialog>
  )
}

function PaletteList({ onClose }: { readonly onClose: () => void }): ReactElement {
  const [typed, setTyped] = useState('')
  const { choose, groups } = usePaletteEntries(typed)
  const input = useRef<HTMLInputElement>(null)
  return (
    <Autocomplete.Root
      items={groups}
      filter={null}
      open
      inline
      autoHighlight="always"
      value={typed}
      onValueChange={setTyped}
      itemToStringValue={({ label }: PaletteEntry) => label}
    >
      <div className="flex items-center gap-3 border-b px-4">
        <Search className="size-4 text-ink-dim" />
        <Autocomplete.Input
          ref={input}
          autoFocus
          placeholder="Screen, tenant, table, action, user, row, or paste a token, error code or curl"
          aria-label="Go to"
          className="h-11 flex-1 bg-transparent text-title outline-none placeholder:text-ink-dim"
        />
        <Kbd keys="Esc" />
      </div>
      <Autocomplete.Empty className="p-4 text-ink-dim empty:hidden">No matches.</Autocomplete.Empty>
      <Autocomplete.List className="max-h-[56vh] overflow-auto p-2 empty:hidden">
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className="px-2 pt-2 pb-1 text-small text-ink-dim">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(entry: PaletteEntry) => (
                <Autocomplete.Item
                  key={entry.id}
                  value={entry}
                  className={POPUP_ITEM}
                  onClick={() => {
                    onClose()
                    // Clears the text, because the same palette shows again when the user reopens it while it closes.
                    setTyped('')
                    choose(entry)
                  }}
                >
                  <span className={entry.isMono ? 'flex-1 font-mono' : 'flex-1'}>
                    {entry.label}
                  </span>
                  {entry.keys !== undefined && <Kbd keys={entry.keys} />}
                </Autocomplete.Item>
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  )
}
