// The bridge: calls from the app's pages to the app, for what a browser cannot do. The preload script, the standing page and the
// inspector share these types.

/** `choosing`: no workspace is open. */
export type DesktopPhase = 'choosing' | 'starting' | 'ready' | 'stopping' | 'failed'

export interface DesktopState {
  readonly phase: DesktopPhase
  readonly workspace: WorkspaceView | null
  /** The current step of opening a workspace. */
  readonly step: string | null
  readonly failure: FailureView | null
  readonly theme: ThemeChoice
  readonly version: string
}

export interface WorkspaceView {
  readonly name: string
  readonly folder: string
  /**
   * Whether the app created this folder inside its own folder. The app duplicates only such folders, and moves no others to the
   * bin.
   */
  readonly is_managed: boolean
  /** ISO 8601. */
  readonly opened_at: string | null
}

/** A failed start, described for the user: what happened and what to do. */
export interface FailureView {
  readonly code: string
  readonly title: string
  readonly sentence: string
  readonly ways_out: readonly { readonly label: string; readonly command: DesktopCommand }[]
}

export type ThemeChoice = 'system' | 'light' | 'dark'

/** All commands that menus, buttons, links and later starts of the app can send. */
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
  | { readonly kind: 'open_bundle'; readonly path?: string }
  | { readonly kind: 'copy_env' }
  | { readonly kind: 'reveal_data' }
  | { readonly kind: 'open_in_browser' }
  | { readonly kind: 'open_documentation' }
  /** A path of the inspector, e.g. `/mailbox`. */
  | { readonly kind: 'show_view'; readonly path: string }
  | { readonly kind: 'toggle_mail_notices' }
  | { readonly kind: 'focus' }
  | { readonly kind: 'quit' }

/** The result of a command. `message` is a sentence for the user. */
export type CommandAnswer = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** The preload script adds this object to the page as `window.tenantryDesktop`. */
export interface DesktopBridge {
  state(): Promise<DesktopState>
  /** Calls the listener whenever the state changes. Returns a function that removes the listener. */
  onState(listener: (state: DesktopState) => void): () => void
  workspaces(): Promise<readonly WorkspaceView[]>
  run(command: DesktopCommand): Promise<CommandAnswer>
  setTheme(theme: ThemeChoice): Promise<void>
}

/** Names of the IPC channels between page and app. The app answers no other channels. */
export const BRIDGE_CHANNELS = {
  state: 'tenantry:state',
  stateChanged: 'tenantry:state-changed',
  workspaces: 'tenantry:workspaces',
  run: 'tenantry:run',
  setTheme: 'tenantry:set-theme',
} as const
