// The app's entry point, and the implementation of `electron-port.ts` with Electron. Only this file and the preload script
// import Electron. This file contains no logic: every function calls Electron.
import { fileURLToPath } from 'node:url'
import {
  app,
  BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  type MenuItemConstructorOptions,
  Notification,
  nativeImage,
  nativeTheme,
  screen,
  session,
  shell,
  Tray,
} from 'electron'
import { defined } from '../emulator/core/defined.ts'
import type {
  DesktopPort,
  DesktopWindow,
  FileKind,
  Lifecycle,
  MenuEntry,
  WindowOptions,
} from './electron-port.ts'
import { startDesktop } from './main.ts'
import { LINK_SCHEME } from './open-target.ts'
import { checkForUpdates } from './updates.ts'

const HERE = new URL('./', import.meta.url)
const PAGES_URL = new URL('pages/', HERE).href
const PRELOAD = fileURLToPath(new URL('preload.cjs', HERE))
const ICON = fileURLToPath(new URL('icon.png', HERE))

app.enableSandbox()
app.setAsDefaultProtocolClient(LINK_SCHEME)

const port: DesktopPort = {
  platform: process.platform,
  argv: process.argv.slice(1),
  version: app.getVersion(),
  folders: { userData: app.getPath('userData') },
  lifecycle: lifecycle(),
  openWindow,
  displays: () => {
    const main = screen.getPrimaryDisplay()
    const others = screen.getAllDisplays().filter(({ id }) => id !== main.id)
    return [main, ...others].map(({ workArea }) => workArea)
  },
  setMenu: (menu) => Menu.setApplicationMenu(Menu.buildFromTemplate(menu.map(menuItem))),
  openTray: () => {
    const tray = new Tray(nativeImage.createFromPath(ICON).resize({ width: 16, height: 16 }))
    return {
      show: ({ tooltip, menu }) => {
        tray.setToolTip(tooltip)
        tray.setContextMenu(Menu.buildFromTemplate(menu.map(menuItem)))
      },
      close: () => tray.destroy(),
    }
  },
  dialogs: {
    chooseFolder: async (title) =>
      (await dialog.showOpenDialog({ title, properties: ['openDirectory', 'createDirectory'] }))
        .filePaths[0],
    chooseFile: async (title, kinds) =>
      (
        await dialog.showOpenDialog({
          title,
          properties: ['openFile'],
          filters: kinds.map(fileFilter),
        })
      ).filePaths[0],
    chooseSavePath: async (title, name, kinds) => {
      const answer = await dialog.showSaveDialog({
        title,
        defaultPath: name,
        filters: kinds.map(fileFilter),
      })
      return answer.canceled ? undefined : answer.filePath
    },
    confirm: async ({ message, detail, yes }) => {
      const { response } = await dialog.showMessageBox({
        type: 'question',
        message,
        detail,
        buttons: [yes, 'Cancel'],
        defaultId: 1,
        cancelId: 1,
      })
      return response === 0
    },
    inform: (message, detail) => {
      void dialog.showMessageBox({ type: 'info', message, detail })
    },
  },
  shell: {
    openOutside: (url) => shell.openExternal(url),
    reveal: async (folder) => {
      const problem = await shell.openPath(folder)
      if (problem !== '') throw new Error(problem)
    },
    moveToBin: (folder) => shell.trashItem(folder),
  },
  messages: {
    answer: (channel, listener) =>
      ipcMain.handle(channel, (event, payload: unknown) => {
        const frame = event.senderFrame
        if (frame === null || frame.parent !== null)
          throw new Error('Frames within a page may not use the bridge.')
        return listener(frame.url, payload)
      }),
    send: (channel, payload) => {
      for (const window of BrowserWindow.getAllWindows()) window.webContents.send(channel, payload)
    },
  },
  copyText: (text) => clipboard.writeText(text),
  setTheme: (theme) => {
    nativeTheme.themeSource = theme
  },
  notify: ({ title, body, onClick }) => {
    const notification = new Notification({ title, body })
    notification.on('click', onClick)
    notification.show()
  },
  checkForUpdates,
}

// Pages may write to the clipboard. The app denies all other permissions and devices.
void app.whenReady().then(() => {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(permission === 'clipboard-sanitized-write'),
  )
  session.defaultSession.setPermissionCheckHandler(
    (_contents, permission) => permission === 'clipboard-sanitized-write',
  )
  session.defaultSession.setDevicePermissionHandler(() => false)
})

void startDesktop(port, {
  pagesUrl: PAGES_URL,
  demoFixture: fileURLToPath(new URL('../../fixtures/clinics', HERE)),
  now: () => new Date().toISOString(),
})

function lifecycle(): Lifecycle {
  return {
    claimSingleInstance: () => app.requestSingleInstanceLock(),
    whenReady: () => app.whenReady(),
    onSecondStart: (listener) => app.on('second-instance', (_event, argv) => listener(argv)),
    onOpen: (listener) => {
      app.on('open-file', (event, path) => {
        event.preventDefault()
        listener(path)
      })
      app.on('open-url', (event, url) => {
        event.preventDefault()
        listener(url)
      })
    },
    onActivate: (listener) => app.on('activate', listener),
    onAllWindowsClosed: (listener) => app.on('window-all-closed', listener),
    onQuit: (listener) => {
      let isClosed = false
      app.on('before-quit', (event) => {
        if (isClosed) return
        event.preventDefault()
        void listener().finally(() => {
          isClosed = true
          app.quit()
        })
      })
    },
    quit: () => app.quit(),
  }
}

function openWindow(options: WindowOptions): DesktopWindow {
  const window = new BrowserWindow({
    title: options.title,
    ...options.bounds,
    minWidth: options.minimumWidth,
    minHeight: options.minimumHeight,
    show: false,
    icon: ICON,
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#0e1013' : '#ffffff',
    webPreferences: {
      preload: PRELOAD,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      spellcheck: false,
    },
  })
  if (options.isMaximized) window.maximize()
  confine(window, options)
  return {
    loadUrl: (url) => window.loadURL(url),
    loadPage: (page) => window.loadFile(fileURLToPath(new URL(page, PAGES_URL))),
    show: () => window.show(),
    focus: () => {
      if (window.isMinimized()) window.restore()
      window.focus()
    },
    bounds: () => ({ bounds: window.getNormalBounds(), isMaximized: window.isMaximized() }),
    onChange: (listener) => {
      window.on('resized', listener)
      window.on('moved', listener)
      window.on('maximize', listener)
      window.on('unmaximize', listener)
      window.on('close', listener)
    },
    onClosed: (listener) => window.on('closed', listener),
  }
}

function confine({ webContents }: BrowserWindow, { mayNavigate }: WindowOptions): void {
  const judge = (event: { preventDefault(): void }, url: string): void => {
    const verdict = mayNavigate(url)
    if (verdict === 'inside') return
    event.preventDefault()
    if (verdict === 'outside') void shell.openExternal(url)
  }
  webContents.on('will-navigate', (event) => judge(event, event.url))
  webContents.on('will-redirect', (event) => judge(event, event.url))
  webContents.on('will-attach-webview', (event) => event.preventDefault())
  webContents.setWindowOpenHandler(({ url }) => {
    if (mayNavigate(url) !== 'refused') void shell.openExternal(url)
    return { action: 'deny' }
  })
}

function menuItem(entry: MenuEntry): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'separator':
      return { type: 'separator' }
    case 'submenu':
      return { label: entry.label, submenu: entry.entries.map(menuItem) }
    case 'role':
      return { role: entry.role }
    case 'action':
      return {
        label: entry.label,
        click: () => entry.run(),
        enabled: entry.isEnabled ?? true,
        ...defined({ accelerator: entry.shortcut }),
        ...(entry.isOn === undefined ? {} : { type: 'checkbox', checked: entry.isOn }),
      }
    default:
      return entry satisfies never
  }
}

function fileFilter({ name, extensions }: FileKind): { name: string; extensions: string[] } {
  return { name, extensions: [...extensions] }
}
