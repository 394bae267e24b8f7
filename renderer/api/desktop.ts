// The bridge to the desktop app, when the desktop app shows this page.
import type { DesktopBridge } from '../../main/bridge.ts'

declare global {
  interface Window {
    readonly tenantryDesktop?: DesktopBridge
  }
}

/** The bridge is `undefined` in an ordinary browser. */
export const desktop: DesktopBridge | undefined = window.tenantryDesktop
