// Pages of the inspector in a real browser. Errors of a page are collected, so that a test can require that no errors occurred.
// These are console errors, violations of the Content Security Policy and unhandled exceptions.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { SCREENS } from '../../emulator/contract/screens.ts'

export type Theme = 'dark' | 'light'

export interface Look {
  readonly theme?: Theme
  /** Size of the window in pixels. */
  readonly width?: number
  readonly height?: number
}

export interface PageOptions extends Look {
  /** The browser context of the same user's other tabs. By default, the page has its own context, which closes with the page. */
  readonly context?: BrowserContext
}

/** The inspector in one tab. */
export class InspectorPage implements AsyncDisposable {
  readonly page: Page
  readonly #complaints: string[] = []
  readonly #ownsContext: boolean
  #theme: Theme = 'dark'

  constructor(page: Page, ownsContext: boolean) {
    this.page = page
    this.#ownsContext = ownsContext
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.#complaints.push(`${message.text()} (${message.location().url})`)
    })
    page.on('pageerror', (error) => this.#complaints.push(String(error)))
  }

  get context(): BrowserContext {
    return this.page.context()
  }

  async look({ theme = 'dark', width = 1_440, height = 900 }: Look): Promise<void> {
    this.#theme = theme
    await this.page.emulateMedia({ colorScheme: theme })
    await this.page.setViewportSize({ width, height })
  }

  /** Loads an address. Resolves when the shell shows. */
  async load(url: string): Promise<void> {
    await this.page.goto(url)
    await this.page.getByRole('navigation', { name: 'Screens' }).waitFor()
  }

  /** Leaves the screen of the loaded inspector. Removes the page's stored data and collected errors. */
  async leave(): Promise<void> {
    await this.page.evaluate(leaveScreen)
    this.#complaints.length = 0
  }

  /** Opens a screen of the loaded inspector after `leave`. */
  async enter(url: string): Promise<void> {
    await this.page.evaluate(enterScreen, url)
  }

  /** Fails when the page reported errors since the last call. `allowed` matches errors that the test provoked. */
  expectSilence(allowed: readonly RegExp[] = []): void {
    expect(
      this.#complaints
        .splice(0)
        .filter((complaint) => !allowed.some((pattern) => pattern.test(complaint))),
    ).toEqual([])
  }

  /** Writes `<name>-dark.png` and `<name>-light.png` into the folder TENANTRY_SHOTS, if it is set. */
  async shoot(name: string): Promise<void> {
    const folder = process.env['TENANTRY_SHOTS']
    if (folder === undefined) return
    mkdirSync(folder, { recursive: true })
    for (const colorScheme of ['dark', 'light'] as const) {
      await this.page.emulateMedia({ colorScheme })
      await this.page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) })
    }
    await this.page.emulateMedia({ colorScheme: this.#theme })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#ownsContext ? this.context.close() : this.page.close()
  }
}

/** Opens an empty tab in its own browser context, or in `shared`. */
export async function openTab(browser: Browser, shared?: BrowserContext): Promise<InspectorPage> {
  const context =
    shared ??
    (await browser.newContext({
      // Disables transitions, because their frames cost processor time and no test checks them.
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    }))
  return new InspectorPage(await context.newPage(), shared === undefined)
}

/** Opens a tab at an address. Resolves when the shell shows. */
export async function openInspectorPage(
  browser: Browser,
  url: string,
  { context, ...look }: PageOptions = {},
): Promise<InspectorPage> {
  const opened = await openTab(browser, context)
  await opened.look(look)
  await opened.load(url)
  return opened
}

/** Waits until no part of the page is loading. */
export async function loaded(page: Page): Promise<void> {
  await page
    .getByRole('status', { name: /^(Loading|Evaluating)/ })
    .first()
    .waitFor({ state: 'detached' })
}

/** Runs in the page. Opens an address without a screen between two screens, so that the next screen starts without state. */
async function leaveScreen(): Promise<void> {
  for (const button of document.querySelectorAll<HTMLElement>('button[aria-label=Dismiss]'))
    button.click()
  history.pushState(null, '', '/_emulator/nowhere')
  while (!document.querySelector('main')?.textContent?.startsWith('Page not found'))
    await new Promise((frame) => requestAnimationFrame(frame))
  localStorage.clear()
  sessionStorage.clear()
}

/** Runs in the page. Opens a screen, and waits until it replaces the page without a screen. */
async function enterScreen(url: string): Promise<void> {
  history.pushState(null, '', url)
  while (document.querySelector('main')?.textContent?.startsWith('Page not found'))
    await new Promise((frame) => requestAnimationFrame(frame))
}

/** Opens a screen through the rail, as a user does: points at the screen's job, then clicks the screen's name. */
export async function openScreen(page: Page, label: string): Promise<void> {
  const job = SCREENS.find((screen) => screen.label === label)?.group ?? label
  const rail = page.getByRole('navigation', { name: 'Screens' })
  await rail.getByRole('link', { name: job, exact: true }).first().hover()
  // A job may have the same name as one of its screens, so the last link is the screen.
  await rail.getByRole('link', { name: label, exact: true }).last().click()
}
