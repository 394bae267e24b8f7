// The frame around every screen: rail, top bar, palette and banner.
import { type ReactElement, type ReactNode, useState, useSyncExternalStore } from 'react'
import { adminTokenState, onAdminToken, setAdminToken } from '../api/admin-token.ts'
import { platformTime } from '../api/platform-clock.ts'
import { useServerState } from '../api/server-state.ts'
import { ChangeArea } from '../parts/change/change-area.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PlatformTimeContext } from '../ui/platform-time.ts'
import { ServerGoneContext } from '../ui/server-gone.ts'
import { TextField } from '../ui/text-field.tsx'
import { ToastArea } from '../ui/toast.tsx'
import { BundleBanner } from './bundle-banner.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { ContextFrame } from './context.tsx'
import { KeysSheet } from './keys-sheet.tsx'
import { Palette } from './palette.tsx'
import { Rail } from './rail.tsx'
import { TenantGate } from './route-states.tsx'
import { ServerBanner } from './server-banner.tsx'
import { TooltipArea } from './tooltip-area.tsx'
import { TopBar } from './top-bar.tsx'
import { useGo, useKeys } from './use-keys.ts'

type Overlay = 'palette' | 'keys' | 'connect'

export function Shell(): ReactElement {
  const [overlay, setOverlay] = useState<Overlay>()
  const close = () => setOverlay(undefined)
  useKeys({
    onPalette: () => setOverlay('palette'),
    onKeys: () => setOverlay('keys'),
    go: useGo(),
  })
  return (
    <Providers>
      <div className="flex h-full flex-col">
        <TopBar
          onPalette={() => setOverlay('palette')}
          onKeys={() => setOverlay('keys')}
          onConnect={() => setOverlay('connect')}
        />
        <ServerBanner />
        <BundleBanner />
        <div className="flex min-h-0 flex-1">
          <Rail />
          <ContextFrame>
            <TenantGate />
          </ContextFrame>
        </div>
      </div>
      <Palette isOpen={overlay === 'palette'} onClose={close} />
      <KeysSheet isOpen={overlay === 'keys'} onClose={close} />
      <ConnectionCard isOpen={overlay === 'connect'} onClose={close} />
      <AdminTokenPrompt />
      <ChangeArea />
      <ToastArea />
      <TooltipArea />
    </Providers>
  )
}

function Providers({ children }: { readonly children: ReactNode }): ReactElement {
  const { isGone } = useServerState()
  return (
    <PlatformTimeContext value={platformTime}>
      <ServerGoneContext value={isGone}>{children}</ServerGoneContext>
    </PlatformTimeContext>
  )
}

function AdminTokenPrompt(): ReactElement {
  const { isWanted, token } = useSyncExternalStore(onAdminToken, adminTokenState)
  const [typed, setTyped] = useState('')
  return (
    <Dialog title="Admin token" isOpen={isWanted} isFirm onClose={() => {}}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (typed !== '') setAdminToken(typed)
        }}
      >
        <p className="text-ink-dim">
          This emulator was started with --admin-token. This tab keeps the token until it closes.
        </p>
        <TextField
          label="Admin token"
          kind="password"
          value={typed}
          onChange={setTyped}
          error={token === undefined ? undefined : 'The emulator did not accept that token.'}
          isMono
        />
        <div className="flex justify-end">
          <Button tone="primary" type="submit" disabled={typed === ''}>
            Continue
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
