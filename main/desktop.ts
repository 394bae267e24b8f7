// The state of the desktop app and the commands that change it. Commands of menu, tray, pages, links and second starts run one
// at a time.
import { environmentLines, type Observer } from '../emulator/index.ts'
import type { CommandAnswer, DesktopCommand, DesktopState, WorkspaceView } from './bridge.ts'
import { createEmulatorHost, type OpenOrder } from './emulator-host.ts'
import { failureView } from './failure.ts'
import type { PreferenceStore } from './preferences.ts'
import { WorkspaceError, type Workspaces } from './workspaces.ts'

export interface DesktopDeps {
  readonly preferences: PreferenceStore
  readonly workspaces: Workspaces
  readonly version: string
  /** ISO 8601, for the list of recent workspaces. */
  readonly now: () => string
  /** What is asked of the platform around the app. */
  readonly surroundings: Surroundings
  readonly observers: readonly Observer[]
}

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
  /** Shows a path of the inspector. */
  showView(path: string): void
  quit(): void
}

export interface Desktop {
  readonly state: DesktopState
  /** Origin of the running emulator. */
  readonly origin: string | undefined
  onChange(listener: (state: DesktopState) => void): void
  workspaces(): readonly WorkspaceView[]
  /** Makes and opens the workspace of the very first start. */
  openFirst(opening: FirstOpening): Promise<void>
  /** Waits for the commands before it; never rejects. */
  run(command: DesktopCommand): Promise<CommandAnswer>
  setTheme(theme: DesktopState['theme']): void
  /** Closes the emulator. */
  close(): Promise<void>
}

export interface FirstOpening {
  /** Made and opened when there is no workspace yet. */
  readonly name: string
  readonly fixture: string
}

const RECENT_KEPT = 20

export function createDesktop(deps: DesktopDeps): Desktop {
  const { preferences, workspaces, surroundings } = deps
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
  let queue: Promise<unknown> = Promise.resolve()

  function show(changes: Partial<DesktopState>): void {
    state = { ...state, ...changes }
    for (const listener of listeners) listener(state)
  }

  async function open(folder: string, order: Partial<OpenOrder> = {}): Promise<void> {
    const { recent, port } = preferences.read()
    show({
      phase: 'starting',
      step: 'Starting',
      failure: null,
      workspace: workspaces.view(folder, recent),
    })
    try {
      await host.open({ folder, port, onStep: (step) => show({ step }), ...order })
      remember(folder)
      show({
        phase: 'ready',
        step: null,
        workspace: workspaces.view(folder, preferences.read().recent),
      })
    } catch (error) {
      show({ phase: 'failed', step: null, failure: failureView(error) })
    }
  }

  function remember(folder: string): void {
    const others = preferences.read().recent.filter((entry) => entry.folder !== folder)
    const recent = [{ folder, openedAt: deps.now() }, ...others].slice(0, RECENT_KEPT)
    preferences.change({ recent, lastFolder: folder })
  }

  function forget(folder: string): void {
    const { recent, lastFolder } = preferences.read()
    preferences.change({
      recent: recent.filter((entry) => entry.folder !== folder),
      ...(lastFolder === folder ? { lastFolder: undefined } : {}),
    })
  }

  async function stop(phase: 'choosing' | 'stopping'): Promise<void> {
    if (host.running !== undefined) show({ phase: 'stopping', step: null })
    await host.close()
    if (phase === 'choosing') show({ phase, workspace: null, failure: null })
  }

  /** The open workspace, or a refusal that says so. */
  function openFolder(): string {
    if (state.workspace === null) throw new WorkspaceError('No workspace is open.')
    return state.workspace.folder
  }

  function running(): NonNullable<typeof host.running> {
    if (host.running === undefined) throw new WorkspaceError('The emulator is not running.')
    return host.running
  }

  function inTurn(act: () => Promise<void>): Promise<CommandAnswer> {
    const answer = queue.then(() => answered(act))
    queue = answer
    return answer
  }

  const acts: { readonly [Kind in DesktopCommand['kind']]: Act<Kind> } = {
    retry: () => open(openFolder()),
    restart_emulator: () => open(openFolder()),
    stop_emulator: () => stop('choosing'),
    use_free_port: () => open(openFolder(), { port: 0 }),
    choose_workspace: () => stop('choosing'),
    open_folder: async () => {
      const folder = await surroundings.chooseFolder('Open a data directory')
      if (folder !== undefined) await open(folder)
    },
    open_workspace: ({ folder }) => open(folder),
    create_workspace: ({ name }) => open(workspaces.create(name)),
    duplicate_workspace: async ({ folder, name }) => {
      if (host.running?.folder === folder) await stop('stopping')
      await open(workspaces.duplicate(folder, name))
    },
    remove_workspace: async ({ folder }) => {
      const { name, is_managed } = workspaces.view(folder, [])
      const sure = await surroundings.confirm({
        message: is_managed ? `Move “${name}” to the bin?` : `Take “${name}” off the list?`,
        detail: is_managed
          ? 'Its tenants, files and keys go with it.'
          : `The folder ${folder} stays as it is.`,
        yes: is_managed ? 'Move to the bin' : 'Take off the list',
      })
      if (!sure) return
      if (state.workspace?.folder === folder) await stop('choosing')
      if (is_managed) await surroundings.moveToBin(folder)
      forget(folder)
      show({})
    },
    open_fixture: async ({ path }) => {
      const { emulator } = running()
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
      const { emulator, origin } = running()
      const path = await surroundings.chooseSavePath(`${state.workspace?.name ?? 'fixture'}`)
      if (path === undefined) return
      const answer = await emulator.fetch(new Request(`${origin}/_emulator/v1/fixtures/export`))
      if (!answer.ok) throw new WorkspaceError(`The export failed: ${await answer.text()}`)
      await surroundings.writeFile(path, new Uint8Array(await answer.arrayBuffer()))
    },
    copy_env: async () => {
      const { emulator, origin } = running()
      surroundings.copyText(`${environmentLines(await emulator.ready(origin)).join('\n')}\n`)
    },
    reveal_data: () => surroundings.reveal(openFolder()),
    open_in_browser: () => surroundings.openOutside(`${running().origin}/_emulator/`),
    show_view: async ({ path }) => {
      running()
      surroundings.showView(path)
    },
    toggle_mail_notices: async () => {
      preferences.change({ mailNotices: !preferences.read().mailNotices })
      show({})
    },
    focus: () => surroundings.focus(),
    quit: async () => surroundings.quit(),
  }

  return {
    get state() {
      return state
    },
    get origin() {
      return host.running?.origin
    },
    onChange: (listener) => void listeners.push(listener),
    workspaces: () => workspaces.list(preferences.read().recent),
    openFirst: async ({ name, fixture }) => {
      await inTurn(() => open(workspaces.create(name), { fixture }))
    },
    run: (command) => inTurn(() => perform(acts, command)),
    setTheme: (theme) => {
      preferences.change({ theme })
      show({ theme })
    },
    close: () => stop('stopping'),
  }
}

type CommandOf<Kind> = Extract<DesktopCommand, { readonly kind: Kind }>
type Act<Kind> = (command: CommandOf<Kind>) => Promise<void>

function perform<Kind extends DesktopCommand['kind']>(
  acts: { readonly [Each in DesktopCommand['kind']]: Act<Each> },
  command: CommandOf<Kind> & { readonly kind: Kind },
): Promise<void> {
  return acts[command.kind](command)
}

async function answered(act: () => Promise<void>): Promise<CommandAnswer> {
  try {
    await act()
    return { ok: true }
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) }
  }
}
