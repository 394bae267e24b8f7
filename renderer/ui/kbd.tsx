// Shows keyboard keys: `Ctrl+K` for keys pressed together, `g t` for keys pressed one after the other.
import type { ReactElement } from 'react'

export function Kbd({ keys }: { readonly keys: string }): ReactElement {
  return (
    <span className="inline-flex items-center gap-1">
      {keys.split(/[ +]/).map((key) => (
        <kbd
          key={key}
          className="min-w-4 rounded-1 border border-line-strong bg-surface-2 px-1 text-center text-small text-ink-dim"
        >
          {key}
        </kbd>
      ))}
    </span>
  )
}
