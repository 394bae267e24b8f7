// The bar above every screen: product name, context, state of the event stream, palette and theme.
import { Link } from '@tanstack/react-router'
import { Keyboard, Moon, PlugZap, Search, Sun } from 'lucide-react'
import { type ReactElement, useSyncExternalStore } from 'react'
import { useLive } from '../api/live.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { StatusDot } from '../ui/status-dot.tsx'
import { Context } from './context.tsx'
import { chooseTheme, onTheme, themeShown } from './theme.ts'

export function TopBar(props: {
  readonly onPalette: () => void
  readonly onKeys: () => void
  readonly onConnect: () => void
}): ReactElement {
  const { onPalette, onKeys, onConnect } = props
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-b bg-surface-1 px-3 max-md:gap-2">
      <Link to="/" className="flex items-center gap-2 rounded-1 pr-2 font-strong">
        <Mark />
        <span className="max-md:sr-only">Tenantry</span>
      </Link>
      <Context />
      <div className="ml-auto flex items-center gap-2">
        <StreamState />
        <button
          type="button"
          onClick={onPalette}
          aria-keyshortcuts="Control+K Meta+K"
          className="flex h-7 w-44 items-center gap-2 rounded-1 max-md:w-auto border border-line-strong bg-surface-0 px-2 text-ink-dim transition-colors hover:text-ink"
        >
          <Search className="size-3" />
          <span className="flex-1 text-left">Go to…</span>
          <span className="flex max-md:hidden">
            <Kbd keys="Ctrl+K" />
          </span>
        </button>
        <Button icon={<PlugZap />} onClick={onConnect}>
          <span className="max-md:sr-only">Connect</span>
        </Button>
        <IconButton label="Keyboard shortcuts" keys="?" icon={<Keyboard />} onClick={onKeys} />
        <ThemeButton />
      </div>
    </header>
  )
}

function StreamState(): ReactElement {
  const connection = useLive((snapshot) => snapshot.connection)
  return (
    <span role="status" className="text-small text-ink-dim">
      {connection === 'live' ? (
        <StatusDot state="well" label="Live" />
      ) : (
        <StatusDot
          state="changing"
          label={connection === 'connecting' ? 'Connecting' : 'Reconnecting'}
        />
      )}
    </span>
  )
}

function ThemeButton(): ReactElement {
  const theme = useSyncExternalStore(onTheme, themeShown)
  const next = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      label={`Use the ${next} theme`}
      icon={theme === 'dark' ? <Sun /> : <Moon />}
      onClick={() => chooseTheme(next)}
    />
  )
}

/** The product's mark: a row that is seen, one that is hidden, and one with a verdict. The same as icon.svg. */
function Mark(): ReactElement {
  return (
    <svg viewBox="0 0 16 16" className="size-5" aria-hidden="true">
      <rect width="16" height="16" rx="4" className="fill-accent-fill" />
      <g className="fill-on-accent">
        <rect x="3" y="3.4" width="10" height="2.4" rx=".7" />
        <path
          d="M4.4 6.8h1.7l-1.4 2.4H3zm3.4 0h1.7L8.1 9.2H6.4zm3.4 0h1.7l-1.4 2.4H9.8z"
          opacity=".55"
        />
        <rect x="3" y="10.2" width="6.2" height="2.4" rx=".7" />
      </g>
      <rect x="10.4" y="10.2" width="2.6" height="2.4" rx=".7" fill="#a8f0cb" />
    </svg>
  )
}
