// The desktop app around this page, when there is one.
import type { DesktopBridge } from '../../main/bridge.ts'

declare global {
  interface Window {
    readonly tenantryDesktop?: DesktopBridge
  }
}

/** What the app does for its page; `undefined` in a browser. */
export const desktop: DesktopBridge | undefined = window.tenantryDesktop
