// The part of Electron that the app uses. `electron.ts` implements it. Tests use a substitute that shows windows in a browser.

export interface DesktopPort {
  readonly platform: NodeJS.Platform
  /** Command-line arguments of this start, without the program's name. */
  readonly argv: readonly string[]
  readonly version: string
  readonly folders: {
    /** Folder for this user's preferences and workspaces. */
    readonly userData: string
  }
  readonly lifecycle: Lifecycle
  openWindow(options: WindowOptions): DesktopWindow
  /** Work areas of all displays; the main display comes first. */
  displays(): readonly Bounds[]
  setMenu(menu: readonly MenuEntry[]): void
  openTray(): Tray
  readonly dialogs: Dialogs
  readonly shell: Shell
  readonly messages: PageMessages
  copyText(text: string): void
  setTheme(theme: 'system' | 'light' | 'dark'): void
  notify(notice: Notice): void
  /** Checks for a newer version. Does nothing when the package has no update feed. */
  checkForUpdates(): Promise<void>
}

export interface Bounds {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Lifecycle {
  /** Returns false when the app is already running. The running instance then receives `onSecondStart`. */
  claimSingleInstance(): boolean
  whenReady(): Promise<void>
  onSecondStart(listener: (argv: readonly string[]) => void): void
  /** The listener receives a file path or a link that the operating system asks the app to open. */
  onOpen(listener: (target: string) => void): void
  /** The listener runs when the user clicks the dock icon and no window is open. */
  onActivate(listener: () => void): void
  onAllWindowsClosed(listener: () => void): void
  /** The app waits for the listener's promise, then ends the process. */
  onQuit(listener: () => Promise<void>): void
  quit(): void
}

export interface WindowOptions {
  readonly title: string
  readonly bounds: Bounds | undefined
  readonly isMaximized: boolean
  readonly minimumWidth: number
  readonly minimumHeight: number
  /** Decides whether a page may navigate to a URL or open it. */
  readonly mayNavigate: (url: string) => NavigationVerdict
}

/** With `outside`, the URL opens in the user's browser. */
export type NavigationVerdict = 'inside' | 'outside' | 'refused'

export interface DesktopWindow {
  loadUrl(url: string): Promise<void>
  /** Loads one of the app's own pages by file name. */
  loadPage(page: string): Promise<void>
  show(): void
  focus(): void
  bounds(): { readonly bounds: Bounds; readonly isMaximized: boolean }
  /** The listener runs after the window was moved or resized, and before it closes. */
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
      /** This member is set only for entries that can be switched on and off. */
      readonly isOn?: boolean
    }
  /** A standard entry of the operating system, with the system's label and shortcut. */
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
  /** Shows a message box with one button. */
  inform(message: string, detail: string): void
}

export interface Shell {
  openOutside(url: string): Promise<void>
  reveal(folder: string): Promise<void>
  /** @throws when the system has no bin for this folder */
  moveToBin(folder: string): Promise<void>
}

export interface PageMessages {
  /**
   * Registers the handler of a channel. `senderUrl` is the address of the calling page. Calls from frames inside a page are
   * refused.
   */
  answer(channel: string, listener: (senderUrl: string, payload: unknown) => Promise<unknown>): void
  /** Sends the payload to every window. */
  send(channel: string, payload: unknown): void
}

export interface Notice {
  readonly title: string
  readonly body: string
  readonly onClick: () => void
}
