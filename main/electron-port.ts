// What the app needs of Electron, and nothing more. `electron.ts` is the real one; tests bring a stand-in that shows the
// windows in a browser.

export interface DesktopPort {
  readonly platform: NodeJS.Platform
  /** Arguments of this start, without the program's own. */
  readonly argv: readonly string[]
  readonly version: string
  readonly folders: {
    /** Preferences and workspaces of this user. */
    readonly userData: string
  }
  readonly lifecycle: Lifecycle
  openWindow(options: WindowOptions): DesktopWindow
  /** Work areas of all displays, the main one first. */
  displays(): readonly Bounds[]
  setMenu(menu: readonly MenuEntry[]): void
  openTray(): Tray
  readonly dialogs: Dialogs
  readonly shell: Shell
  readonly messages: PageMessages
  copyText(text: string): void
  setTheme(theme: 'system' | 'light' | 'dark'): void
  notify(notice: Notice): void
  /** Looks for a newer version where the package names a feed, and does nothing where it names none. */
  checkForUpdates(): Promise<void>
}

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Lifecycle {
  /** False when the app runs already; that one is then told of this start. */
  claimSingleInstance(): boolean
  whenReady(): Promise<void>
  onSecondStart(listener: (argv: readonly string[]) => void): void
  /** A file or a link that the system asks the app to open. */
  onOpen(listener: (target: string) => void): void
  /** The dock icon was clicked while no window was open. */
  onActivate(listener: () => void): void
  onAllWindowsClosed(listener: () => void): void
  /** The promise is waited for before the process ends. */
  onQuit(listener: () => Promise<void>): void
  quit(): void
}

export interface WindowOptions {
  readonly title: string
  readonly bounds: Bounds | undefined
  readonly isMaximized: boolean
  readonly minimumWidth: number
  readonly minimumHeight: number
  /** Answers for every address a page wants to go to or open. */
  readonly mayNavigate: (url: string) => NavigationVerdict
}

/** `outside` opens it in the user's browser. */
export type NavigationVerdict = 'inside' | 'outside' | 'refused'

export interface DesktopWindow {
  loadUrl(url: string): Promise<void>
  /** One of the app's own pages, by its file name. */
  loadPage(page: string): Promise<void>
  show(): void
  focus(): void
  bounds(): { readonly bounds: Bounds; readonly isMaximized: boolean }
  /** Moved, resized, or about to close. */
  onChange(listener: () => void): void
  onClosed(listener: () => void): void
}

export type MenuEntry =
  | { readonly kind: 'separator' }
  | { readonly kind: 'submenu'; readonly label: string; readonly entries: readonly MenuEntry[] }
  | {
      readonly kind: 'action'
      readonly label: string
      readonly run: () => void
      readonly shortcut?: string
      readonly isEnabled?: boolean
      /** Present on entries that are on or off. */
      readonly isOn?: boolean
    }
  /** What the platform does by itself, with its own label and shortcut. */
  | { readonly kind: 'role'; readonly role: MenuRole }

export type MenuRole =
  | 'about'
  | 'services'
  | 'hide'
  | 'hideOthers'
  | 'unhide'
  | 'undo'
  | 'redo'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'selectAll'
  | 'resetZoom'
  | 'zoomIn'
  | 'zoomOut'
  | 'togglefullscreen'
  | 'toggleDevTools'
  | 'reload'
  | 'minimize'
  | 'close'
  | 'front'

export interface Tray {
  show(view: { readonly tooltip: string; readonly menu: readonly MenuEntry[] }): void
  close(): void
}

export interface FileKind {
  readonly name: string
  readonly extensions: readonly string[]
}

export interface Dialogs {
  chooseFolder(title: string): Promise<string | undefined>
  chooseFile(title: string, kinds: readonly FileKind[]): Promise<string | undefined>
  chooseSavePath(
    title: string,
    name: string,
    kinds: readonly FileKind[],
  ): Promise<string | undefined>
  confirm(question: {
    readonly message: string
    readonly detail: string
    readonly yes: string
  }): Promise<boolean>
  tell(message: string, detail: string): void
}

export interface Shell {
  openOutside(url: string): Promise<void>
  reveal(folder: string): Promise<void>
  /** @throws when the system has no bin for that place */
  moveToBin(folder: string): Promise<void>
}

export interface PageMessages {
  /** `senderUrl` is the address of the frame that asks; frames within frames are never passed on. */
  answer(channel: string, listener: (senderUrl: string, payload: unknown) => Promise<unknown>): void
  /** To every window. */
  send(channel: string, payload: unknown): void
}

export interface Notice {
  readonly title: string
  readonly body: string
  readonly onClick: () => void
}
