// Replaces Electron by a browser: implements the app's port with Chromium. Tests call functions for the actions of the user and
// the system. The preload script is the built one, so page and app communicate over the real bridge.
import { mkdtempSync, readFileSync } from 'node:fs'
import { cp, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type {
  Bounds,
  DesktopPort,
  DesktopWindow,
  MenuEntry,
  Notice,
  PageMessages,
  WindowOptions,
} from '../../main/electron-port.ts'
import { buildDesktop } from '../../scripts/build-desktop.ts'

export interface StandIn {
  readonly port: DesktopPort
  readonly pagesUrl: string
  readonly userData: string
  /** Returns the window's page. Waits until the window exists. */
  page(): Promise<Page>
  /** The user's answers to dialogs. */
  readonly person: {
    confirms: boolean
    folder: string | undefined
    file: string | undefined
    savePath: string | undefined
  }
  /** Effects of the app outside its window, oldest first. */
  readonly seen: {
    readonly copied: string[]
    readonly openedOutside: string[]
    readonly revealed: string[]
    readonly told: string[]
    readonly notices: Notice[]
    readonly themes: string[]
    readonly refusedNavigations: string[]
    tooltip: string
    hasQuit: boolean
  }
  /** Clicks an entry of the menu bar by its labels. */
  clickMenu(...labels: readonly string[]): void
  secondStart(argv: readonly string[]): void
  openTarget(target: string): void
  closeWindow(): Promise<void>
  /** Quits the app as the operating system does, and waits until the app has closed everything that is open. */
  quit(): Promise<void>
}

export interface StandInOptions {
  readonly userData?: string
  readonly argv?: readonly string[]
  readonly platform?: NodeJS.Platform
  /** `false` simulates that the app runs already. */
  readonly isFirst?: boolean
  readonly displays?: readonly Bounds[]
}

let built: Promise<string> | undefined

/** Builds the app's pages once for each test file. */
function builtDesktop(): Promise<string> {
  built ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tenantry-desktop-'))
    await buildDesktop(folder)
    return folder
  })()
  return built
}

export async function createStandIn(
  browser: Browser,
  options: StandInOptions = {},
): Promise<StandIn> {
  const folder = await builtDesktop()
  const pages = join(folder, 'pages')
  const preload = readFileSync(join(folder, 'preload.cjs'), 'utf8')
  const userData = options.userData ?? mkdtempSync(join(tmpdir(), 'tenantry-user-'))
  const bin = mkdtempSync(join(tmpdir(), 'tenantry-bin-'))
  const seen: StandIn['seen'] = {
    copied: [],
    openedOutside: [],
    revealed: [],
    told: [],
    notices: [],
    themes: [],
    refusedNavigations: [],
    tooltip: '',
    hasQuit: false,
  }
  const person: StandIn['person'] = {
    confirms: true,
    folder: undefined,
    file: undefined,
    savePath: undefined,
  }
  const heard = {
    secondStart: [] as ((argv: readonly string[]) => void)[],
    open: [] as ((target: string) => void)[],
    quit: [] as (() => Promise<void>)[],
    allClosed: [] as (() => void)[],
  }
  const windows: ShownWindow[] = []
  const messages = createMessages(windows)
  let menu: readonly MenuEntry[] = []
  let ending: Promise<void> | undefined

  function quit(): Promise<void> {
    ending ??= (async () => {
      for (const listener of heard.quit) await listener()
      seen.hasQuit = true
      for (const window of windows) await window.close()
    })()
    return ending
  }

  const port: DesktopPort = {
    platform: options.platform ?? 'linux',
    argv: options.argv ?? [],
    version: '0.0.0-test',
    folders: { userData },
    lifecycle: {
      claimSingleInstance: () => options.isFirst ?? true,
      whenReady: async () => undefined,
      onSecondStart: (listener) => void heard.secondStart.push(listener),
      onOpen: (listener) => void heard.open.push(listener),
      onActivate: () => undefined,
      onAllWindowsClosed: (listener) => void heard.allClosed.push(listener),
      onQuit: (listener) => void heard.quit.push(listener),
      quit: () => void quit(),
    },
    openWindow: (window) => {
      const shown = new ShownWindow(browser, window, { pages, preload, messages, seen })
      windows.push(shown)
      return shown
    },
    displays: () => options.displays ?? [{ x: 0, y: 0, width: 1_600, height: 1_000 }],
    setMenu: (entries) => {
      menu = entries
    },
    openTray: () => ({
      show: ({ tooltip }) => {
        seen.tooltip = tooltip
      },
      close: () => undefined,
    }),
    dialogs: {
      chooseFolder: async () => person.folder,
      chooseFile: async () => person.file,
      chooseSavePath: async () => person.savePath,
      confirm: async () => person.confirms,
      inform: (message, detail) => void seen.told.push(`${message}: ${detail}`),
    },
    shell: {
      openOutside: async (url) => void seen.openedOutside.push(url),
      reveal: async (path) => void seen.revealed.push(path),
      moveToBin: async (path) => {
        await rename(path, join(bin, 'gone')).catch(() => cp(path, bin, { recursive: true }))
      },
    },
    messages,
    copyText: (text) => void seen.copied.push(text),
    setTheme: (theme) => void seen.themes.push(theme),
    notify: (notice) => void seen.notices.push(notice),
    checkForUpdates: async () => undefined,
  }

  return {
    port,
    pagesUrl: `${pathToFileURL(pages).href}/`,
    userData,
    person,
    seen,
    page: async () => {
      const window = windows.findLast(({ isClosed }) => !isClosed)
      if (window === undefined) throw new Error('No window is open.')
      return window.page
    },
    clickMenu: (...labels) => click(menu, labels),
    secondStart: (argv) => {
      for (const listener of heard.secondStart) listener(argv)
    },
    openTarget: (target) => {
      for (const listener of heard.open) listener(target)
    },
    closeWindow: async () => {
      for (const window of windows) await window.close()
      for (const listener of heard.allClosed) listener()
    },
    quit,
  }
}

interface Surroundings {
  readonly pages: string
  readonly preload: string
  readonly messages: BridgedMessages
  readonly seen: StandIn['seen']
}

class ShownWindow implements DesktopWindow {
  isClosed = false
  readonly page: Promise<Page>
  readonly #context: Promise<BrowserContext>
  readonly #pages: string
  readonly #bounds: Bounds
  readonly #isMaximized: boolean
  readonly #closed: (() => void)[] = []

  constructor(browser: Browser, options: WindowOptions, surroundings: Surroundings) {
    this.#pages = surroundings.pages
    this.#bounds = options.bounds ?? { x: 0, y: 0, width: 1_280, height: 800 }
    this.#isMaximized = options.isMaximized
    const { width, height } = this.#bounds
    this.#context = browser.newContext({ viewport: { width, height }, reducedMotion: 'reduce' })
    this.page = this.#context.then((context) => furnish(context, options, surroundings))
  }

  async loadUrl(url: string): Promise<void> {
    await (await this.page).goto(url)
  }

  async loadPage(page: string): Promise<void> {
    await (await this.page).goto(pathToFileURL(join(this.#pages, page)).href)
  }

  show(): void {}
  focus(): void {}

  bounds(): { bounds: Bounds; isMaximized: boolean } {
    return { bounds: this.#bounds, isMaximized: this.#isMaximized }
  }

  onChange(listener: () => void): void {
    listener()
  }

  onClosed(listener: () => void): void {
    this.#closed.push(listener)
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    for (const listener of this.#closed) listener()
    await (await this.#context).close()
  }
}

// Restricts navigation, and runs the preload script before every page. The real adapter does this with events of Electron's
// window.
async function furnish(
  context: BrowserContext,
  { mayNavigate }: WindowOptions,
  { preload, messages, seen }: Surroundings,
): Promise<Page> {
  const page = await context.newPage()
  await page.exposeBinding('tenantryInvoke', ({ frame }, channel: string, payload: unknown) =>
    messages.ask(channel, frame.url(), payload),
  )
  await page.addInitScript(inPage(preload))
  const session = await context.newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  // Ignores errors, because the request no longer exists when the window closes or navigates again before the answer.
  const answer = (sent: Promise<unknown>): void => void sent.catch(() => undefined)
  session.on('Fetch.requestPaused', ({ requestId, frameId, request: { url } }) => {
    const verdict = frameId === frameTree.frame.id ? mayNavigate(url) : 'inside'
    if (verdict === 'inside') return answer(session.send('Fetch.continueRequest', { requestId }))
    if (verdict === 'outside') seen.openedOutside.push(url)
    else seen.refusedNavigations.push(url)
    answer(session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' }))
  })
  // Intercepts only documents, because each interception takes time and a page loads twenty scripts.
  await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document' }] })
  context.on('page', async (popup) => {
    if (popup === page) return
    if (mayNavigate(popup.url()) !== 'refused') seen.openedOutside.push(popup.url())
    await popup.close()
  })
  return page
}

// Provides the functions of Electron's two preload modules that the app's preload script uses.
function inPage(preload: string): string {
  return `{
    const listeners = new Set()
    window.tenantryHear = (channel, payload) => { for (const each of listeners) if (each.channel === channel) each.listener({}, payload) }
    const electron = {
      contextBridge: { exposeInMainWorld: (name, api) => { window[name] = api } },
      ipcRenderer: {
        invoke: (channel, payload) => window.tenantryInvoke(channel, payload),
        on: (channel, listener) => listeners.add({ channel, listener }),
        removeListener: (channel, listener) => { for (const each of listeners) if (each.listener === listener) listeners.delete(each) },
      },
    }
    ;((require, module, exports) => {${preload}})(() => electron, { exports: {} }, {})
  }`
}

interface BridgedMessages extends PageMessages {
  ask(channel: string, senderUrl: string, payload: unknown): Promise<unknown>
}

function createMessages(windows: readonly ShownWindow[]): BridgedMessages {
  const answers = new Map<string, (senderUrl: string, payload: unknown) => Promise<unknown>>()
  return {
    answer: (channel, listener) => void answers.set(channel, listener),
    ask: async (channel, senderUrl, payload) => {
      const answer = answers.get(channel)
      if (answer === undefined) throw new Error(`Nobody answers ${channel}.`)
      return answer(senderUrl, payload)
    },
    send: (channel, payload) => {
      for (const { page, isClosed } of windows)
        if (!isClosed) void page.then((shown) => hear(shown, channel, payload))
    },
  }
}

// Sends a message to the page. As in Electron, a page that is navigating does not receive it.
async function hear(page: Page, channel: string, payload: unknown): Promise<void> {
  await page
    .evaluate(
      ([name, value]) =>
        (window as unknown as { tenantryHear?: (n: unknown, v: unknown) => void }).tenantryHear?.(
          name,
          value,
        ),
      [channel, payload] as const,
    )
    .catch(() => undefined)
}

function click(menu: readonly MenuEntry[], labels: readonly string[]): void {
  const [label, ...rest] = labels
  const entry = menu.find((each) => 'label' in each && each.label === label)
  if (entry?.kind === 'submenu') click(entry.entries, rest)
  else if (entry?.kind === 'action' && entry.isEnabled !== false) entry.run()
  else throw new Error(`There is no enabled menu entry ${labels.join(' › ')}.`)
}
