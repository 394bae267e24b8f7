// The documentation site as a reader uses it: built by `npm run docs:site`, served by an emulator, in a real browser.
import { execFile } from 'node:child_process'
import { request } from 'node:http'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { accessibilityFindings } from '../support/axe.ts'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../support/chromium.ts'
import { startTestEmulator, type TestEmulator } from '../support/test-emulator.ts'

const run = promisify(execFile)

let checked: string
let at: TestEmulator
beforeAll(async () => {
  await run(process.execPath, ['node_modules/vitepress/bin/vitepress.js', 'build', 'docs'])
  checked = (await run(process.execPath, ['scripts/check-docs-site.ts'])).stdout
  at = await startTestEmulator()
})
afterAll(() => at?.[Symbol.asyncDispose]())

describe('the documentation site', () => {
  it('has no dead link, no script in a page and nothing of another host', () => {
    expect(checked).toMatch(/^dist\/docs-site: \d\d+ pages without a dead link\n$/)
  })

  it('has the licences of the packages in it', async () => {
    const { text } = await at.call('GET', '/_emulator/docs/third-party-licenses.txt')
    expect(text).toContain('vitepress 2')
  })

  it('has no file outside its folder', async () => {
    const { hostname, port } = new URL(at.url)
    const path = '/_emulator/docs/..%2f..%2fpackage.json'
    const status = await new Promise((resolve, reject) => {
      // `fetch` would change the path.
      request({ hostname, port, path }, (answer) => resolve(answer.resume().statusCode))
        .on('error', reject)
        .end()
    })
    expect(status).toBe(404)
  })
})

describe.skipIf(CHROMIUM === undefined)(`the site in a browser${CHROMIUM_HINT}`, () => {
  let context: BrowserContext
  let page: Page
  const complaints: string[] = []
  const strangers: string[] = []

  beforeAll(async () => {
    context = await (await workerChromium()).newContext({ reducedMotion: 'reduce' })
    page = await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('requestfailed', (failed) => complaints.push(`failed: ${failed.url()}`))
    page.on('request', (asked) => {
      if (!asked.url().startsWith(at.url)) strangers.push(asked.url())
    })
  })
  afterAll(() => context?.close())
  beforeEach(async () => {
    complaints.length = 0
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${at.url}/_emulator/docs/`)
    await page.getByRole('heading', { name: 'Tenantry', level: 1 }).waitFor()
  })

  it('leads from the landing page to a guide without an error and without another host', async () => {
    const sidebar = page.getByRole('navigation', { name: 'Sidebar Navigation' })
    await sidebar.getByRole('link', { name: 'Quickstart', exact: true }).click()
    await page.getByRole('heading', { name: 'Quickstart', level: 1 }).waitFor()
    expect(page.url()).toBe(`${at.url}/_emulator/docs/guide/quickstart.html`)
    expect(complaints).toEqual([])
    expect(strangers).toEqual([])
  })

  it('finds "rehearse" and opens the section', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox').fill('rehearse')
    await page.getByRole('option', { name: 'migrate rehearse' }).first().click()
    await page.waitForURL(/reference\/cli\.html#migrate-rehearse$/)
    expect(complaints).toEqual([])
  })

  it('shows the version, which leads to the changelog', async () => {
    await page
      .getByRole('link', { name: /^Version \d+\.\d+\.\d+$/ })
      .first()
      .click()
    await page.getByRole('heading', { name: 'Changelog', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })

  it('keeps the chosen dark theme, with the pictures of that theme', async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await background()
    await page.getByRole('switch', { name: 'Appearance' }).first().click()
    const dark = await background()
    expect(dark).not.toBe(light)
    await page.reload()
    expect(await background()).toBe(dark)
    expect(await page.locator('img.light-only').first().isVisible()).toBe(false)
    expect(await page.locator('img.dark-only').first().isVisible()).toBe(true)
    await page.evaluate(() => localStorage.clear())
  })

  it.each(['light', 'dark'] as const)('is accessible in the %s theme', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    for (const path of ['', 'guide/inspector.html', 'reference/cli.html']) {
      await page.goto(`${at.url}/_emulator/docs/${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await accessibilityFindings(page), path).toEqual([])
    }
  })
})
