// What the pages inside the app may ask of it: six calls, for what a browser cannot do. Types only; the preload script and
// the standing pages share them, and so may the inspector.

/** Where the app stands. `choosing`: no workspace is open. */
export type DesktopPhase = 'choosing' | 'starting' | 'ready' | 'stopping' | 'failed'

export interface DesktopState {
  readonly phase: DesktopPhase
  readonly workspace: WorkspaceView | null
  /** Of a start under way: what it is doing now. */
  readonly step: string | null
  readonly failure: FailureView | null
  readonly theme: ThemeChoice
  readonly version: string
}

export interface WorkspaceView {
  readonly name: string
  readonly folder: string
  /** Whether the app keeps it among its own, so that it can be duplicated and removed. */
  readonly is_managed: boolean
  /** ISO 8601. */
  readonly opened_at: string | null
}

/** A failed start, for people: what happened and the ways out. */
export interface FailureView {
  readonly code: string
  readonly title: string
  readonly sentence: string
  readonly ways_out: readonly { readonly label: string; readonly command: DesktopCommand }[]
}

export type ThemeChoice = 'system' | 'light' | 'dark'

/** Everything a menu, a button, a link or a second start can ask for. */
export type DesktopCommand =
  | { readonly kind: 'retry' }
  | { readonly kind: 'restart_emulator' }
  | { readonly kind: 'stop_emulator' }
  | { readonly kind: 'use_free_port' }
  | { readonly kind: 'choose_workspace' }
  | { readonly kind: 'open_folder' }
  | { readonly kind: 'open_workspace'; readonly folder: string }
  | { readonly kind: 'create_workspace'; readonly name: string }
  | { readonly kind: 'duplicate_workspace'; readonly folder: string; readonly name: string }
  | { readonly kind: 'remove_workspace'; readonly folder: string }
  | { readonly kind: 'open_fixture'; readonly path?: string }
  | { readonly kind: 'export_fixture' }
  | { readonly kind: 'copy_env' }
  | { readonly kind: 'reveal_data' }
  | { readonly kind: 'open_in_browser' }
  /** A path of the inspector, e.g. `/mailbox`. */
  | { readonly kind: 'show_view'; readonly path: string }
  | { readonly kind: 'toggle_mail_notices' }
  | { readonly kind: 'focus' }
  | { readonly kind: 'quit' }

/** What became of a command; refusals are sentences for people. */
export type CommandAnswer = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** What the preload script puts into the page as `tenantryDesktop`. */
export interface DesktopBridge {
  state(): Promise<DesktopState>
  /** Calls at every change; the answer ends it. */
  onState(listener: (state: DesktopState) => void): () => void
  workspaces(): Promise<readonly WorkspaceView[]>
  run(command: DesktopCommand): Promise<CommandAnswer>
  setTheme(theme: ThemeChoice): Promise<void>
}

/** Names of the messages between page and app; everything else is refused. */
export const BRIDGE_CHANNELS = {
  state: 'tenantry:state',
  stateChanged: 'tenantry:state-changed',
  workspaces: 'tenantry:workspaces',
  run: 'tenantry:run',
  setTheme: 'tenantry:set-theme',
} as const
