// Builds the menus and the tray from the app's state. Entries of the menus only send commands.
import { isTenantScreen, SCREENS } from '../emulator/contract/screens.ts'
import type { DesktopCommand, DesktopState, WorkspaceView } from './bridge.ts'
import type { MenuEntry, MenuRole } from './electron-port.ts'

export interface MenuFacts {
  readonly state: DesktopState
  readonly platform: NodeJS.Platform
  readonly recent: readonly WorkspaceView[]
  readonly hasMailNotices: boolean
  readonly run: (command: DesktopCommand) => unknown
}

/** Workspaces listed under “Open recent”. */
const RECENT_LIMIT = 8

/** The menu bar, with the usual menus of each operating system. */
export function menuBar(facts: MenuFacts): readonly MenuEntry[] {
  const isMac = facts.platform === 'darwin'
  return [
    ...(isMac ? [appMenu(facts)] : []),
    workspaceMenu(facts, isMac),
    editMenu(),
    emulatorMenu(facts),
    viewMenu(facts),
    submenu('Window', roles('minimize', ...(isMac ? (['front'] as const) : []), 'close')),
    helpMenu(facts, isMac),
  ]
}

/** The tray's menu: the emulator's state, and entries that start or stop the emulator. */
export function trayMenu(facts: MenuFacts): readonly MenuEntry[] {
  const { state, run } = facts
  const isRunning = state.phase === 'ready'
  return [
    { kind: 'action', label: statusOf(state), run: () => run({ kind: 'focus' }) },
    { kind: 'separator' },
    action(facts, 'Open the inspector', 'focus'),
    action(facts, 'Copy .env', 'copy_env', { isEnabled: isRunning }),
    isRunning
      ? action(facts, 'Stop the emulator', 'stop_emulator')
      : action(facts, 'Start the emulator', 'retry', { isEnabled: mayStart(state) }),
    { kind: 'separator' },
    action(facts, 'Quit Tenantry', 'quit'),
  ]
}

/** The app's state in one line. */
export function statusOf({ phase, workspace, step }: DesktopState): string {
  const name = workspace?.name ?? ''
  switch (phase) {
    case 'choosing':
      return 'No workspace is open'
    case 'starting':
      return `${name}: ${step ?? 'starting'}`
    case 'ready':
      return `${name} is running`
    case 'stopping':
      return `${name} is stopping`
    case 'failed':
      return `${name} could not be opened`
    default:
      return phase satisfies never
  }
}

function mayStart(state: DesktopState): boolean {
  return state.workspace !== null && state.phase !== 'starting' && state.phase !== 'stopping'
}

function appMenu(facts: MenuFacts): MenuEntry {
  return submenu('Tenantry', [
    ...roles('about', 'separator', 'services', 'separator'),
    ...roles('hide', 'hideOthers', 'unhide', 'separator'),
    action(facts, 'Quit Tenantry', 'quit', { shortcut: 'Cmd+Q' }),
  ])
}

function workspaceMenu(facts: MenuFacts, isMac: boolean): MenuEntry {
  const isRunning = facts.state.phase === 'ready'
  return submenu('Workspace', [
    action(facts, 'New or open…', 'choose_workspace', { shortcut: 'CmdOrCtrl+O' }),
    action(facts, 'Open a folder…', 'open_folder', { shortcut: 'CmdOrCtrl+Shift+O' }),
    recentMenu(facts),
    { kind: 'separator' },
    action(facts, 'Apply a fixture…', 'open_fixture', { isEnabled: isRunning }),
    action(facts, 'Export as a fixture…', 'export_fixture', { isEnabled: isRunning }),
    action(facts, 'Open a bundle…', 'open_bundle'),
    { kind: 'separator' },
    action(facts, 'Copy .env', 'copy_env', { isEnabled: isRunning, shortcut: 'CmdOrCtrl+Shift+E' }),
    action(facts, 'Show the data folder', 'reveal_data', {
      isEnabled: facts.state.workspace !== null,
    }),
    ...(isMac
      ? []
      : ([{ kind: 'separator' }, action(facts, 'Quit', 'quit', { shortcut: 'Ctrl+Q' })] as const)),
  ])
}

function recentMenu(facts: MenuFacts): MenuEntry {
  const entries = facts.recent
    .slice(0, RECENT_LIMIT)
    .map(({ name, folder }) => action(facts, name, { kind: 'open_workspace', folder }))
  return submenu(
    'Open recent',
    entries.length > 0
      ? entries
      : [{ kind: 'action', label: 'No recent workspaces', run: () => {}, isEnabled: false }],
  )
}

function editMenu(): MenuEntry {
  return submenu('Edit', roles('undo', 'redo', 'separator', 'cut', 'copy', 'paste', 'selectAll'))
}

function emulatorMenu(facts: MenuFacts): MenuEntry {
  const isRunning = facts.state.phase === 'ready'
  return submenu('Emulator', [
    action(facts, 'Restart', 'restart_emulator', {
      isEnabled: mayStart(facts.state),
      shortcut: 'CmdOrCtrl+Shift+R',
    }),
    action(facts, 'Stop', 'stop_emulator', { isEnabled: isRunning }),
    { kind: 'separator' },
    action(facts, 'Open in the browser', 'open_in_browser', { isEnabled: isRunning }),
    action(facts, 'Notify about new messages', 'toggle_mail_notices', {
      isOn: facts.hasMailNotices,
    }),
  ])
}

// Contains no tenant screens, because the menu has no current tenant.
const VIEWS = SCREENS.filter((screen) => !isTenantScreen(screen))

function viewMenu(facts: MenuFacts): MenuEntry {
  const isEnabled = facts.state.phase === 'ready'
  return submenu('View', [
    ...VIEWS.map(({ label, path }, index) =>
      action(
        facts,
        label,
        { kind: 'show_view', path },
        // Only the first nine screens get a shortcut, because there are nine digits.
        { isEnabled, ...(index < 9 ? { shortcut: `CmdOrCtrl+${index + 1}` } : {}) },
      ),
    ),
    { kind: 'separator' },
    ...roles('reload', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen'),
    ...roles('separator', 'toggleDevTools'),
  ])
}

function helpMenu(facts: MenuFacts, isMac: boolean): MenuEntry {
  return submenu('Help', [
    // The running emulator serves the pages.
    action(facts, 'Documentation', 'open_documentation', {
      isEnabled: facts.state.phase === 'ready',
    }),
    ...(isMac ? [] : roles('separator', 'about')),
  ])
}

function submenu(label: string, entries: readonly MenuEntry[]): MenuEntry {
  return { kind: 'submenu', label, entries }
}

function roles(...names: readonly (MenuRole | 'separator')[]): readonly MenuEntry[] {
  return names.map((name) =>
    name === 'separator' ? { kind: 'separator' } : { kind: 'role', role: name },
  )
}

/** A command, or the kind of a command without further members. */
type Order = DesktopCommand | PlainKind
type PlainKind = {
  [Kind in DesktopCommand['kind']]: { kind: Kind } extends DesktopCommand ? Kind : never
}[DesktopCommand['kind']]

function action(
  { run }: MenuFacts,
  label: string,
  order: Order,
  options: { shortcut?: string; isEnabled?: boolean; isOn?: boolean } = {},
): MenuEntry {
  const command = typeof order === 'string' ? { kind: order } : order
  return { kind: 'action', label, run: () => run(command), ...options }
}
