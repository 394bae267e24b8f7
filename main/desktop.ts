// The desktop app's state and its command queue. Menus, tray, pages, links and later starts send commands, which run one at a
// time. main.ts creates it.
import type { CommandAnswer, DesktopCommand, DesktopState, WorkspaceView } from './bridge.ts'
import { createBundleHost } from './bundle-host.ts'
import { type CommandDeps, desktopCommands } from './desktop-commands.ts'
import { createWorkspaceSession, type SessionDeps } from './workspace-session.ts'

export type DesktopDeps = SessionDeps & Omit<CommandDeps, 'session' | 'bundles'>

export interface Desktop {
  readonly state: DesktopState
  /** Origin of the running emulator. */
  readonly origin: string | undefined
  onChange(listener: (state: DesktopState) => void): void
  workspaces(): readonly WorkspaceView[]
  /** Creates and opens the workspace when the app starts for the very first time. */
  openFirst(opening: FirstOpening): Promise<void>
  /** Runs the command after all earlier commands. Never rejects. */
  run(command: DesktopCommand): Promise<CommandAnswer>
  setTheme(theme: DesktopState['theme']): void
  /** Closes the emulator of the workspace and the emulators of opened bundles. */
  close(): Promise<void>
}

export interface FirstOpening {
  /** Name of the workspace to create. */
  readonly name: string
  /** Fixture folder to apply to the new workspace. */
  readonly fixture: string
}

export function createDesktop(deps: DesktopDeps): Desktop {
  const { preferences, workspaces } = deps
  const session = createWorkspaceSession(deps)
  const bundles = createBundleHost()
  const perform = desktopCommands({ ...deps, session, bundles })
  let queue: Promise<unknown> = Promise.resolve()

  function inTurn(act: () => Promise<void>): Promise<CommandAnswer> {
    const answer = queue.then(() => answered(act))
    queue = answer
    return answer
  }

  return {
    get state() {
      return session.state
    },
    get origin() {
      return session.running?.origin
    },
    onChange: session.onChange,
    workspaces: () => workspaces.list(preferences.read().recent),
    openFirst: async ({ name, fixture }) => {
      await inTurn(async () => session.open(workspaces.create(name), { fixture }))
    },
    run: (command) => inTurn(() => perform(command)),
    setTheme: (theme) => {
      preferences.change({ theme })
      session.show({ theme })
    },
    close: async () => {
      await bundles.close()
      await session.stop('stopping')
    },
  }
}

async function answered(act: () => Promise<void>): Promise<CommandAnswer> {
  try {
    await act()
    return { ok: true }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
