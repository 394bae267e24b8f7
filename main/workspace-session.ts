// The open workspace, and its state for pages, menus and tray. desktop.ts creates the session; the commands in
// desktop-commands.ts change it.
import type { Observer } from '../emulator/index.ts'
import type { DesktopState } from './bridge.ts'
import { createEmulatorHost, type OpenOrder, type RunningEmulator } from './emulator-host.ts'
import { failureView } from './failure.ts'
import type { PreferenceStore } from './preferences.ts'
import { WorkspaceError, type Workspaces } from './workspaces.ts'

export interface SessionDeps {
  readonly preferences: PreferenceStore
  readonly workspaces: Workspaces
  readonly version: string
  /** Returns the current time in ISO 8601, for the list of recent workspaces. */
  readonly now: () => string
  readonly observers: readonly Observer[]
}

export interface WorkspaceSession {
  readonly state: DesktopState
  /** `undefined` while no emulator runs. */
  readonly running: RunningEmulator | undefined
  onChange(listener: (state: DesktopState) => void): void
  /** Applies the changes to the state, then calls the listeners. Calls the listeners even when `changes` is empty. */
  show(changes: Partial<DesktopState>): void
  /** Opens a workspace. When the emulator cannot start, the state contains the failure. */
  open(folder: string, order?: Partial<OpenOrder>): Promise<void>
  /** Closes the emulator. With `choosing`, the app shows the list of workspaces afterwards. */
  stop(phase: 'choosing' | 'stopping'): Promise<void>
  /** Removes a workspace from the list of recent workspaces. */
  forget(folder: string): void
  /** @throws {WorkspaceError} when no workspace is open */
  requireFolder(): string
  /** @throws {WorkspaceError} when no emulator runs */
  requireRunning(): RunningEmulator
}

export function createWorkspaceSession(deps: SessionDeps): WorkspaceSession {
  const { preferences, workspaces } = deps
  const host = createEmulatorHost(deps.observers)
  const listeners: ((state: DesktopState) => void)[] = []
  let state: DesktopState = {
    phase: 'choosing',
    workspace: null,
    step: null,
    failure: null,
    theme: preferences.read().theme,
    version: deps.version,
  }

  function show(changes: Partial<DesktopState>): void {
    state = { ...state, ...changes }
    for (const listener of listeners) listener(state)
  }

  async function open(folder: string, order: Partial<OpenOrder> = {}): Promise<void> {
    const { recent, port } = preferences.read()
    const workspace = workspaces.view(folder, recent)
    show({ phase: 'starting', step: 'Starting', failure: null, workspace })
    try {
      await host.open({ folder, port, onStep: (step) => show({ step }), ...order })
      remember(preferences, folder, deps.now())
      const opened = workspaces.view(folder, preferences.read().recent)
      show({ phase: 'ready', step: null, workspace: opened })
    } catch (error) {
      show({ phase: 'failed', step: null, failure: failureView(error) })
    }
  }

  return {
    get state() {
      return state
    },
    get running() {
      return host.running
    },
    onChange: (listener) => void listeners.push(listener),
    show,
    open,
    stop: async (phase) => {
      if (host.running !== undefined) show({ phase: 'stopping', step: null })
      await host.close()
      if (phase === 'choosing') show({ phase, workspace: null, failure: null })
    },
    forget: (folder) => forget(preferences, folder),
    requireFolder: () => required(state.workspace?.folder, 'No workspace is open.'),
    requireRunning: () => required(host.running, 'The emulator is not running.'),
  }
}

const RECENT_KEPT = 20

function remember(preferences: PreferenceStore, folder: string, openedAt: string): void {
  const others = preferences.read().recent.filter((entry) => entry.folder !== folder)
  const recent = [{ folder, openedAt }, ...others].slice(0, RECENT_KEPT)
  preferences.change({ recent, lastFolder: folder })
}

function forget(preferences: PreferenceStore, folder: string): void {
  const { recent, lastFolder } = preferences.read()
  preferences.change({
    recent: recent.filter((entry) => entry.folder !== folder),
    ...(lastFolder === folder ? { lastFolder: undefined } : {}),
  })
}

function required<Value>(value: Value | undefined, problem: string): Value {
  if (value === undefined) throw new WorkspaceError(problem)
  return value
}
