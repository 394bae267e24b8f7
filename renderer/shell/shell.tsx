// The frame around every screen: rail, top bar, palette and banner.
import { type ReactElement, useState } from 'react'
import { platformTime } from '../api/platform-clock.ts'
import { PlatformTimeContext } from '../ui/platform-time.ts'
import { ToastArea } from '../ui/toast.tsx'
import { AdminTokenPrompt } from './admin-token-prompt.tsx'
import { Banner } from './banner.tsx'
import { ConnectionCard } from './connection-card.tsx'
import { KeysSheet } from './keys-sheet.tsx'
import { Palette } from './palette.tsx'
import { Rail } from './rail.tsx'
import { TenantGate } from './route-states.tsx'
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
    <PlatformTimeContext value={platformTime}>
      <div className="flex h-full flex-col">
        <TopBar
          onPalette={() => setOverlay('palette')}
          onKeys={() => setOverlay('keys')}
          onConnect={() => setOverlay('connect')}
        />
        <Banner />
        <div className="flex min-h-0 flex-1">
          <Rail />
          <main className="flex min-h-0 min-w-0 flex-1 flex-col">
            <TenantGate />
          </main>
        </div>
      </div>
      <Palette isOpen={overlay === 'palette'} onClose={close} />
      <KeysSheet isOpen={overlay === 'keys'} onClose={close} />
      <ConnectionCard isOpen={overlay === 'connect'} onClose={close} />
      <AdminTokenPrompt />
      <ToastArea />
    </PlatformTimeContext>
  )
}
