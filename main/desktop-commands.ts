// Implements each command of the desktop app (bridge.ts). desktop.ts runs the commands one at a time.
import { environmentLines } from '../emulator/index.ts'
import type { DesktopCommand } from './bridge.ts'
import type { PreferenceStore } from './preferences.ts'
import type { WorkspaceSession } from './workspace-session.ts'
import { WorkspaceError, type Workspaces } from './workspaces.ts'

/** What the commands need from the platform, such as dialogs. main.ts implements it with the Electron port. */
export interface Surroundings {
  chooseFolder(title: string): Promise<string | undefined>
  chooseFixture(): Promise<string | undefined>
  chooseSavePath(name: string): Promise<string | undefined>
  confirm(question: { message: string; detail: string; yes: string }): Promise<boolean>
  copyText(text: string): void
  reveal(folder: string): Promise<void>
  moveToBin(folder: string): Promise<void>
  openOutside(url: string): Promise<void>
  writeFile(path: string, bytes: Uint8Array): Promise<void>
  focus(): Promise<void>
  /** Opens a path of the inspector in the window. */
  showView(path: string): void
  quit(): void
}

export interface CommandDeps {
  readonly session: WorkspaceSession
  readonly preferences: PreferenceStore
  readonly workspaces: Workspaces
  readonly surroundings: Surroundings
}

type CommandOf<Kind> = Extract<DesktopCommand, { readonly kind: Kind }>
type Act<Kind> = (command: CommandOf<Kind>) => Promise<void>
type Acts<Kinds extends DesktopCommand['kind']> = { readonly [Kind in Kinds]: Act<Kind> }

/** Returns the function that runs a command. @throws {WorkspaceError} when the command is not possible now */
export function desktopCommands(deps: CommandDeps): (command: DesktopCommand) => Promise<void> {
  const acts: Acts<DesktopCommand['kind']> = {
    ...emulatorActs(deps),
    ...workspaceActs(deps),
    ...fixtureActs(deps),
    ...viewActs(deps),
  }
  return (command) => perform(acts, command)
}

function perform<Kind extends DesktopCommand['kind']>(
  acts: { readonly [Each in DesktopCommand['kind']]: Act<Each> },
  command: CommandOf<Kind> & { readonly kind: Kind },
): Promise<void> {
  return acts[command.kind](command)
}

function emulatorActs({
  session,
}: CommandDeps): Acts<'retry' | 'restart_emulator' | 'stop_emulator' | 'use_free_port'> {
  const restart = async (): Promise<void> => session.open(session.requireFolder())
  return {
    retry: restart,
    restart_emulator: restart,
    stop_emulator: () => session.stop('choosing'),
    use_free_port: async () => session.open(session.requireFolder(), { port: 0 }),
  }
}

type WorkspaceKind =
  | 'choose_workspace'
  | 'open_folder'
  | 'open_workspace'
  | 'create_workspace'
  | 'duplicate_workspace'
  | 'remove_workspace'

function workspaceActs({ session, workspaces, surroundings }: CommandDeps): Acts<WorkspaceKind> {
  return {
    choose_workspace: () => session.stop('choosing'),
    open_folder: async () => {
      const folder = await surroundings.chooseFolder('Open a data directory')
      if (folder !== undefined) await session.open(folder)
    },
    open_workspace: ({ folder }) => session.open(folder),
    create_workspace: async ({ name }) => session.open(workspaces.create(name)),
    duplicate_workspace: async ({ folder, name }) => {
      if (session.running?.folder === folder) await session.stop('stopping')
      await session.open(workspaces.duplicate(folder, name))
    },
    remove_workspace: async ({ folder }) => {
      const { name, is_managed } = workspaces.view(folder, [])
      const sure = await surroundings.confirm({
        message: is_managed ? `Move “${name}” to the bin?` : `Remove “${name}” from the list?`,
        detail: is_managed
          ? 'Its tenants, files and keys go to the bin, too.'
          : `The folder ${folder} stays as it is.`,
        yes: is_managed ? 'Move to the bin' : 'Remove from the list',
      })
      if (!sure) return
      if (session.state.workspace?.folder === folder) await session.stop('choosing')
      if (is_managed) await surroundings.moveToBin(folder)
      session.forget(folder)
      session.show({})
    },
  }
}

function fixtureActs({
  session,
  surroundings,
}: CommandDeps): Acts<'open_fixture' | 'export_fixture'> {
  return {
    open_fixture: async ({ path }) => {
      const { emulator } = session.requireRunning()
      const fixture = path ?? (await surroundings.chooseFixture())
      if (fixture === undefined) return
      const sure =
        path === undefined ||
        (await surroundings.confirm({
          message: 'Apply this fixture to the open workspace?',
          detail: `${path}\nIts SQL runs in the tenants it names.`,
          yes: 'Apply',
        }))
      if (sure) await emulator.applyFixture(fixture)
    },
    export_fixture: async () => {
      const { emulator, origin } = session.requireRunning()
      const name = session.state.workspace?.name ?? 'fixture'
      const path = await surroundings.chooseSavePath(name)
      if (path === undefined) return
      const answer = await emulator.fetch(new Request(`${origin}/_emulator/v1/fixtures/export`))
      if (!answer.ok) throw new WorkspaceError(`The export failed: ${await answer.text()}`)
      await surroundings.writeFile(path, new Uint8Array(await answer.arrayBuffer()))
    },
  }
}

type ViewKind =
  | 'copy_env'
  | 'reveal_data'
  | 'open_in_browser'
  | 'show_view'
  | 'toggle_mail_notices'
  | 'focus'
  | 'quit'

function viewActs({ session, preferences, surroundings }: CommandDeps): Acts<ViewKind> {
  return {
    copy_env: async () => {
      const { emulator, origin } = session.requireRunning()
      surroundings.copyText(`${environmentLines(await emulator.ready(origin)).join('\n')}\n`)
    },
    reveal_data: async () => surroundings.reveal(session.requireFolder()),
    open_in_browser: async () =>
      surroundings.openOutside(`${session.requireRunning().origin}/_emulator/`),
    show_view: async ({ path }) => {
      session.requireRunning()
      surroundings.showView(path)
    },
    toggle_mail_notices: async () => {
      preferences.change({ mailNotices: !preferences.read().mailNotices })
      session.show({})
    },
    focus: () => surroundings.focus(),
    quit: async () => surroundings.quit(),
  }
}
