// The list of keyboard shortcuts.
import type { ReactElement } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { SCREENS } from './screens.tsx'

const GENERAL = [
  ['Ctrl+K', 'Open the palette'],
  ['/', 'Search the list'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close the sheet'],
  ['?', 'Show keyboard shortcuts'],
] as const

export function KeysSheet(props: {
  readonly isOpen: boolean
  readonly onClose: () => void
}): ReactElement {
  const { isOpen, onClose } = props
  return (
    <Dialog title="Keyboard shortcuts" isOpen={isOpen} onClose={onClose} width="wide" isText>
      <div className="grid grid-cols-2 gap-x-8">
        <KeyList title="Everywhere" keys={GENERAL} />
        <KeyList
          title="Screens"
          keys={SCREENS.map(({ letter, label }) => [`g ${letter}`, label] as const)}
        />
      </div>
    </Dialog>
  )
}

function KeyList(props: {
  readonly title: string
  readonly keys: readonly (readonly [keys: string, meaning: string])[]
}): ReactElement {
  const { title, keys } = props
  return (
    <section>
      <h3 className="pb-1 text-small text-ink-dim">{title}</h3>
      <ul>
        {keys.map(([key, meaning]) => (
          <li key={key} className="flex h-7 items-center justify-between gap-4">
            {meaning}
            <Kbd keys={key} />
          </li>
        ))}
      </ul>
    </section>
  )
}
