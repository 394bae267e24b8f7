// The desktop app: one window that shows the inspector of the emulator in this process. The app uses Electron only through the
// port, so tests can run it under Node with a browser as its window.
import { join } from 'node:path'
import type { Observer } from '../emulator/index.ts'
import { BRIDGE_CHANNELS } from './bridge.ts'
import { decodeCommand, decodeTheme } from './bridge-requests.ts'
import { createDesktop, type Desktop } from './desktop.ts'
import type { DesktopPort } from './electron-port.ts'
import { type MenuFacts, menuBar, statusOf, trayMenu } from './menu.ts'
import { commandOf, commandOfArguments } from './open-target.ts'
import { mayAsk } from './permissions.ts'
import { openPreferences, type PreferenceStore } from './preferences.ts'
import { createView, type View } from './view.ts'
import { createWorkspaces } from './workspaces.ts'

export interface DesktopSettings {
  /** `file:` address of the folder that contains the app's own pages. The address ends in a slash. */
  readonly pagesUrl: string
  /** Fixture folder for the workspace that the very first start creates. */
  readonly demoFixture: string
  /** ISO 8601. */
  readonly now: () => string
}

const FIRST_WORKSPACE = 'Demo'

/** Runs the app. Returns `undefined` when another instance is running; that instance comes to the front instead. */
export async function startDesktop(
  port: DesktopPort,
  settings: DesktopSettings,
): Promise<Desktop | undefined> {
  if (!port.lifecycle.claimSingleInstance()) {
    port.lifecycle.quit()
    return undefined
  }
  await port.lifecycle.whenReady()
  const preferences = openPreferences(join(port.folders.userData, 'preferences.json'))
  const view: View = createView({
    port,
    preferences,
    pagesUrl: settings.pagesUrl,
    state: () => desktop.state,
    origin: () => desktop.origin,
  })
  const desktop: Desktop = createDesktop({
    preferences,
    workspaces: createWorkspaces(join(port.folders.userData, 'workspaces')),
    version: port.version,
    now: settings.now,
    port,
    view,
    observers: [mailNotices(port, preferences, view)],
  })
  port.setTheme(desktop.state.theme)
  answerPages(port, desktop, view)
  listenToSystem(port, desktop, view)
  furnish(port, desktop, preferences)
  desktop.onChange((state) => view.show(state))
  await view.focus()
  await openAtStart(port, desktop, preferences, settings)
  void port.checkForUpdates()
  return desktop
}

async function openAtStart(
  port: DesktopPort,
  desktop: Desktop,
  preferences: PreferenceStore,
  { demoFixture }: DesktopSettings,
): Promise<void> {
  const asked = commandOfArguments(port.argv)
  const { lastFolder } = preferences.read()
  const known = desktop.workspaces()
  if (asked?.kind === 'open_workspace') {
    await desktop.run(asked)
    return
  }
  if (known.length === 0) await desktop.openFirst({ name: FIRST_WORKSPACE, fixture: demoFixture })
  else if (lastFolder !== undefined && known.some(({ folder }) => folder === lastFolder))
    await desktop.run({ kind: 'open_workspace', folder: lastFolder })
  if (asked !== undefined) await desktop.run(asked)
}

// Answers the pages' calls. A page of another origin gets the same error for every call.
function answerPages(port: DesktopPort, desktop: Desktop, view: View): void {
  const answer = (channel: string, listener: (payload: unknown) => Promise<unknown>): void =>
    port.messages.answer(channel, async (senderUrl, payload) => {
      if (!mayAsk(senderUrl, view.places())) throw new Error('This page may not use the bridge.')
      return listener(payload)
    })
  answer(BRIDGE_CHANNELS.state, async () => desktop.state)
  answer(BRIDGE_CHANNELS.workspaces, async () => desktop.workspaces())
  answer(BRIDGE_CHANNELS.run, async (payload) => desktop.run(decodeCommand(payload)))
  answer(BRIDGE_CHANNELS.setTheme, async (payload) => {
    const theme = decodeTheme(payload)
    port.setTheme(theme)
    desktop.setTheme(theme)
  })
}

function listenToSystem(
  { lifecycle, platform, dialogs }: DesktopPort,
  desktop: Desktop,
  view: View,
): void {
  const runOrReport = async (command: ReturnType<typeof commandOf>): Promise<void> => {
    await view.focus()
    if (command === undefined) return
    const answer = await desktop.run(command)
    if (!answer.ok) dialogs.inform('Could not run the command', answer.message)
  }
  lifecycle.onSecondStart((argv) => void runOrReport(commandOfArguments(argv)))
  lifecycle.onOpen((target) => void runOrReport(commandOf(target)))
  lifecycle.onActivate(() => void view.focus())
  // On macOS, apps stay open without windows. On other systems the app quits, because the emulator would keep running unnoticed.
  lifecycle.onAllWindowsClosed(() => {
    if (platform !== 'darwin') lifecycle.quit()
  })
  lifecycle.onQuit(() => desktop.close())
}

// Redraws menus and tray whenever the state changes.
function furnish(port: DesktopPort, desktop: Desktop, preferences: PreferenceStore): void {
  const tray = port.openTray()
  const facts = (): MenuFacts => ({
    state: desktop.state,
    platform: port.platform,
    recent: desktop.workspaces(),
    hasMailNotices: preferences.read().mailNotices,
    run: async (command) => {
      const answer = await desktop.run(command)
      if (!answer.ok) port.dialogs.inform('Could not run the command', answer.message)
    },
  })
  const draw = (): void => {
    const present = facts()
    port.setMenu(menuBar(present))
    tray.show({ tooltip: `Tenantry: ${statusOf(present.state)}`, menu: trayMenu(present) })
  }
  draw()
  desktop.onChange(draw)
}

const CHANNEL_NAMES: Readonly<Record<string, string>> = {
  email: 'E-mail',
  whatsapp: 'WhatsApp message',
  sms: 'SMS',
}

function mailNotices(port: DesktopPort, preferences: PreferenceStore, view: View): Observer {
  return (observation) => {
    if (observation.kind !== 'messageSent' || !preferences.read().mailNotices) return
    const { channel, recipient, code, schemaName } = observation
    port.notify({
      title: `${CHANNEL_NAMES[channel] ?? channel} to ${recipient}`,
      body: code === undefined ? schemaName : `${schemaName} · ${code}`,
      onClick: () => {
        void view.focus().then(() => view.showPath('/mailbox'))
      },
    })
  }
}
