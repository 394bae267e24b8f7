// Runs in the page's own process before it: puts the bridge there, and nothing else of the app.
import { contextBridge, ipcRenderer } from 'electron'
import { BRIDGE_CHANNELS, type DesktopBridge, type DesktopState } from './bridge.ts'

const bridge: DesktopBridge = {
  state: () => ipcRenderer.invoke(BRIDGE_CHANNELS.state),
  onState: (listener) => {
    const hear = (_event: unknown, state: DesktopState): void => listener(state)
    ipcRenderer.on(BRIDGE_CHANNELS.stateChanged, hear)
    return () => ipcRenderer.removeListener(BRIDGE_CHANNELS.stateChanged, hear)
  },
  workspaces: () => ipcRenderer.invoke(BRIDGE_CHANNELS.workspaces),
  run: (command) => ipcRenderer.invoke(BRIDGE_CHANNELS.run, command),
  setTheme: (theme) => ipcRenderer.invoke(BRIDGE_CHANNELS.setTheme, theme),
}

contextBridge.exposeInMainWorld('tenantryDesktop', bridge)
