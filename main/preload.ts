// The preload script: runs in the page's process before the page loads, and gives the page the bridge.
import { contextBridge, ipcRenderer } from 'electron'
import { BRIDGE_CHANNELS, type DesktopBridge, type DesktopState } from './bridge.ts'

const bridge: DesktopBridge = {
  state: () => ipcRenderer.invoke(BRIDGE_CHANNELS.state),
  onState: (listener) => {
    const receive = (_event: unknown, state: DesktopState): void => listener(state)
    ipcRenderer.on(BRIDGE_CHANNELS.stateChanged, receive)
    return () => ipcRenderer.removeListener(BRIDGE_CHANNELS.stateChanged, receive)
  },
  workspaces: () => ipcRenderer.invoke(BRIDGE_CHANNELS.workspaces),
  run: (command) => ipcRenderer.invoke(BRIDGE_CHANNELS.run, command),
  setTheme: (theme) => ipcRenderer.invoke(BRIDGE_CHANNELS.setTheme, theme),
}

contextBridge.exposeInMainWorld('tenantryDesktop', bridge)
