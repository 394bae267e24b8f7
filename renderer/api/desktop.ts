// The bridge to the desktop app, when this page runs inside it.
import type { DesktopBridge } from '../../main/bridge.ts'

declare global {
  interface Window {
    readonly tenantryDesktop?: DesktopBridge
  }
}

/** `undefined` in a browser. */
export const desktop: DesktopBridge | undefined = window.tenantryDesktop
