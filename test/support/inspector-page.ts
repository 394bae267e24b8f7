// The inspector in a real browser, before an emulator of its own with the clinics demo. What a page complains about (console
// errors, refused by the security policy, unhandled failures) is collected, so that a test can insist on silence.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { EmulatorConfig } from '../../emulator/index.ts'
import { launchChromium } from './chromium.ts'
import { startTestEmulator, type TestEmulator } from './test-emulator.ts'

export type Theme = 'dark' | 'light'

export interface InspectorWorld extends AsyncDisposable {
  readonly at: TestEmulator
  /** `http://127.0.0.1:<port>/_emulator`, to which a screen's path is added. */
  readonly url: string
  readonly browser: Browser
  /** A page of its own context on a screen, once the shell shows. */
  open(path?: string, options?: OpenOptions): Promise<InspectorPage>
}

export interface OpenOptions {
  readonly theme?: Theme
  readonly width?: number
  readonly height?: number
  /** The context of other tabs of the same user. Absent: a context of its own, which closes with the page. */
  readonly context?: BrowserContext
}

export interface InspectorPage extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
  /** What the page complained about so far. */
  readonly complaints: readonly string[]
  /** Fails when it complained; `allowed` are complaints that the test provoked. */
  expectSilence(allowed?: readonly RegExp[]): void
  /** Writes `<name>-<theme>.png` into the folder TENANTRY_SHOTS, if it is set. */
  shoot(name: string): Promise<void>
}

/** Starts an emulator in memory with the demo, and a browser. */
export async function startInspector(config: EmulatorConfig = {}): Promise<InspectorWorld> {
  const at = await startTestEmulator(config)
  try {
    await at.emulator.applyFixture('fixtures/clinics')
    const browser = await launchChromium()
    const url = `${at.url}/_emulator`
    return {
      at,
      url,
      browser,
      open: (path = '/', options = {}) => openInspectorPage(browser, url + path, options),
      [Symbol.asyncDispose]: async () => {
        await browser.close()
        await at[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await at[Symbol.asyncDispose]()
    throw error
  }
}

/** A page of its own context at an address, once the shell shows. */
export async function openInspectorPage(
  browser: Browser,
  url: string,
  { theme = 'dark', width = 1_440, height = 900, context: shared }: OpenOptions = {},
): Promise<InspectorPage> {
  const context =
    shared ??
    (await browser.newContext({
      colorScheme: theme,
      // Each frame of a transition costs processor time. No test looks at one.
      reducedMotion: 'reduce',
      viewport: { width, height },
      permissions: ['clipboard-read', 'clipboard-write'],
    }))
  const page = await context.newPage()
  const complaints = listen(page)
  await page.goto(url)
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  return {
    page,
    context,
    complaints,
    expectSilence: (allowed = []) =>
      expect(
        complaints.filter((complaint) => !allowed.some((pattern) => pattern.test(complaint))),
      ).toEqual([]),
    shoot: async (name) => {
      const folder = process.env['TENANTRY_SHOTS']
      if (folder === undefined) return
      mkdirSync(folder, { recursive: true })
      await page.screenshot({ path: join(folder, `${name}-${theme}.png`) })
    },
    [Symbol.asyncDispose]: () => (shared === undefined ? context.close() : page.close()),
  }
}

/** Waits until nothing on the page says any more that it is loading. */
export async function loaded(page: Page): Promise<void> {
  await page
    .getByRole('status', { name: /^Loading/ })
    .first()
    .waitFor({ state: 'detached' })
}

// Violations of the security policy come as console errors, too.
function listen(page: Page): readonly string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return complaints
}
