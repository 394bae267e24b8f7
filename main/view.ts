// The app's only window. It shows the inspector while the emulator runs, and the standing page otherwise.
import { BRIDGE_CHANNELS, type DesktopState } from './bridge.ts'
import type { DesktopPort, DesktopWindow } from './electron-port.ts'
import { judgeNavigation, type OwnPlaces } from './permissions.ts'
import type { PreferenceStore } from './preferences.ts'
import { MINIMUM_SIZE, placeWindow } from './window-bounds.ts'

export interface View {
  readonly places: () => OwnPlaces
  /** Opens the window if necessary and brings it to the front. */
  focus(): Promise<void>
  /** Shows the page that fits the app's state. */
  show(state: DesktopState): void
  /** Opens a path of the inspector. */
  showPath(path: string): void
}

export interface ViewDeps {
  readonly port: DesktopPort
  readonly preferences: PreferenceStore
  readonly pagesUrl: string
  readonly state: () => DesktopState
  /** Origin of the running emulator. */
  readonly origin: () => string | undefined
}

/** The page that shows while the emulator is not ready. */
const STANDING_PAGE = 'standing.html'

export function createView({ port, preferences, pagesUrl, state, origin }: ViewDeps): View {
  let window: DesktopWindow | undefined
  let shown: string | undefined
  const places = (): OwnPlaces => ({ inspectorOrigin: origin(), pagesUrl })

  // Ignores load errors, because a load rejects when a later load replaces it.
  async function load(target: DesktopWindow, address: string): Promise<void> {
    if (shown === address) return
    shown = address
    const loading = address === STANDING_PAGE ? target.loadPage(address) : target.loadUrl(address)
    await loading.catch(() => undefined)
  }

  function address(path = '/'): string {
    const running = state().phase === 'ready' ? origin() : undefined
    return running === undefined ? STANDING_PAGE : `${running}/_emulator${path}`
  }

  function make(): DesktopWindow {
    const remembered = preferences.read().window
    const made = port.openWindow({
      title: 'Tenantry',
      bounds: placeWindow(remembered?.bounds, port.displays()),
      isMaximized: remembered?.isMaximized ?? false,
      minimumWidth: MINIMUM_SIZE.width,
      minimumHeight: MINIMUM_SIZE.height,
      mayNavigate: (url) => judgeNavigation(url, places()),
    })
    made.onChange(() => preferences.change({ window: made.bounds() }))
    made.onClosed(() => {
      window = undefined
      shown = undefined
    })
    return made
  }

  return {
    places,
    focus: async () => {
      if (window === undefined) {
        window = make()
        await load(window, address())
        window?.show()
      }
      window?.focus()
    },
    show: (present) => {
      port.messages.send(BRIDGE_CHANNELS.stateChanged, present)
      if (window !== undefined) void load(window, address())
    },
    showPath: (path) => {
      // Forgets the loaded address, because the inspector can change the window's address without a page load.
      shown = undefined
      if (window !== undefined) void load(window, address(path))
      window?.focus()
    },
  }
}
