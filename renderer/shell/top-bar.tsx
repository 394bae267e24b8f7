// What is always in view: the product, the tenant, platform time, the stream, and the ways to everything else.
import { Link } from '@tanstack/react-router'
import { Keyboard, Moon, PlugZap, Search, Sun } from 'lucide-react'
import { type ReactElement, useSyncExternalStore } from 'react'
import { useLive } from '../api/live.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { StatusDot } from '../ui/status-dot.tsx'
import { ClockChip } from './clock-chip.tsx'
import { Mark } from './mark.tsx'
import { TenantSwitcher } from './tenant-switcher.tsx'
import { chooseTheme, onTheme, themeShown } from './theme.ts'

export interface TopBarProps {
  readonly onPalette: () => void
  readonly onKeys: () => void
  readonly onConnect: () => void
}

export function TopBar({ onPalette, onKeys, onConnect }: TopBarProps): ReactElement {
  return (
    <header className="flex h-11 shrink-0 items-center gap-3 border-b bg-surface-1 pr-3 pl-3">
      <Link to="/" className="flex items-center gap-2 rounded-1 pr-2 font-strong">
        <Mark />
        Tenantry
      </Link>
      <TenantSwitcher />
      <ClockChip />
      <div className="ml-auto flex items-center gap-2">
        <StreamState />
        <button
          type="button"
          onClick={onPalette}
          aria-keyshortcuts="Control+K Meta+K"
          className="flex h-7 w-44 items-center gap-2 rounded-1 border border-line-strong bg-surface-0 px-2 text-ink-dim transition-colors hover:text-ink"
        >
          <Search aria-hidden="true" className="size-3" />
          <span className="flex-1 text-left">Go to…</span>
          <Kbd keys="Ctrl+K" />
        </button>
        <Button icon={<PlugZap aria-hidden="true" />} onClick={onConnect}>
          Connect
        </Button>
        <IconButton label="Keys" keys="?" icon={<Keyboard aria-hidden="true" />} onClick={onKeys} />
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
      icon={theme === 'dark' ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
      onClick={() => chooseTheme(next)}
    />
  )
}
