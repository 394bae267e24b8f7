// Implements each command of the desktop app (bridge.ts). desktop.ts runs the commands one at a time.
import { writeFile } from 'node:fs/promises'
import { environmentLines } from '../emulator/index.ts'
import type { DesktopCommand } from './bridge.ts'
import type { BundleHost } from './bundle-host.ts'
import type { DesktopPort, FileKind } from './electron-port.ts'
import { BUNDLE_EXTENSION, FIXTURE_EXTENSION } from './open-target.ts'
import type { PreferenceStore } from './preferences.ts'
import type { View } from './view.ts'
import type { WorkspaceSession } from './workspace-session.ts'
import { WorkspaceError, type Workspaces } from './workspaces.ts'

const FIXTURES: readonly FileKind[] = [
  { name: 'Tenantry fixture', extensions: [FIXTURE_EXTENSION, 'yaml'] },
]

const BUNDLES: readonly FileKind[] = [{ name: 'Tenantry bundle', extensions: [BUNDLE_EXTENSION] }]

export interface CommandDeps {
  readonly session: WorkspaceSession
  readonly bundles: BundleHost
  readonly preferences: PreferenceStore
  readonly workspaces: Workspaces
  readonly port: DesktopPort
  readonly view: View
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
    ...bundleActs(deps),
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

function workspaceActs({ session, workspaces, port }: CommandDeps): Acts<WorkspaceKind> {
  return {
    choose_workspace: () => session.stop('choosing'),
    open_folder: async () => {
      const folder = await port.dialogs.chooseFolder('Open a data directory')
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
      const sure = await port.dialogs.confirm({
        message: is_managed ? `Move “${name}” to the bin?` : `Remove “${name}” from the list?`,
        detail: is_managed
          ? 'Its tenants, files and keys go to the bin, too.'
          : `The folder ${folder} stays as it is.`,
        yes: is_managed ? 'Move to the bin' : 'Remove from the list',
      })
      if (!sure) return
      if (session.state.workspace?.folder === folder) await session.stop('choosing')
      if (is_managed) await port.shell.moveToBin(folder)
      session.forget(folder)
      session.show({})
    },
  }
}

function fixtureActs({ session, port }: CommandDeps): Acts<'open_fixture' | 'export_fixture'> {
  return {
    open_fixture: async ({ path }) => {
      const { emulator } = session.requireRunning()
      const fixture = path ?? (await port.dialogs.chooseFile('Apply a fixture', FIXTURES))
      if (fixture === undefined) return
      const sure =
        path === undefined ||
        (await port.dialogs.confirm({
          message: 'Apply this fixture to the open workspace?',
          detail: `${path}\nThe SQL in this file runs in the tenants that the file lists.`,
          yes: 'Apply',
        }))
      if (sure) await emulator.applyFixture(fixture)
    },
    export_fixture: async () => {
      const { emulator, origin } = session.requireRunning()
      const name = session.state.workspace?.name ?? 'fixture'
      const file = `${name}.${FIXTURE_EXTENSION}`
      const path = await port.dialogs.chooseSavePath('Export as a fixture', file, FIXTURES)
      if (path === undefined) return
      const answer = await emulator.fetch(new Request(`${origin}/_emulator/v1/fixtures/export`))
      if (!answer.ok) throw new WorkspaceError(`The export failed: ${await answer.text()}`)
      await writeFile(path, new Uint8Array(await answer.arrayBuffer()))
    },
  }
}

function bundleActs({ bundles, port }: CommandDeps): Acts<'open_bundle'> {
  return {
    open_bundle: async ({ path }) => {
      const file = path ?? (await port.dialogs.chooseFile('Open a bundle', BUNDLES))
      if (file === undefined) return
      const sure =
        path === undefined ||
        (await port.dialogs.confirm({
          message: 'Open this bundle?',
          detail: `${path}\nIts projects are built in an emulator of its own. It cannot change your files.`,
          yes: 'Open',
        }))
      if (sure) await port.shell.openOutside(await bundles.open(file))
    },
  }
}

type ViewKind =
  | 'copy_env'
  | 'reveal_data'
  | 'open_in_browser'
  | 'open_documentation'
  | 'show_view'
  | 'toggle_mail_notices'
  | 'focus'
  | 'quit'

function viewActs({ session, preferences, port, view }: CommandDeps): Acts<ViewKind> {
  return {
    copy_env: async () => {
      const { emulator, origin } = session.requireRunning()
      port.copyText(`${environmentLines(await emulator.ready(origin)).join('\n')}\n`)
    },
    reveal_data: async () => port.shell.reveal(session.requireFolder()),
    open_in_browser: async () =>
      port.shell.openOutside(`${session.requireRunning().origin}/_emulator/`),
    open_documentation: async () =>
      port.shell.openOutside(`${session.requireRunning().origin}/_emulator/docs/`),
    show_view: async ({ path }) => {
      session.requireRunning()
      view.showPath(path)
    },
    toggle_mail_notices: async () => {
      preferences.change({ mailNotices: !preferences.read().mailNotices })
      session.show({})
    },
    focus: () => view.focus(),
    quit: async () => port.lifecycle.quit(),
  }
}
