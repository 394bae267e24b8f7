// The inspector beside `tenantry dev`: a refused save shows its problem with file and line, and the next good one replaces it.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT, launchChromium } from '../../support/chromium.ts'
import { type CliProcess, runCliIn, temporaryFolder } from '../../support/cli-process.ts'
import { type InspectorPage, openInspectorPage } from '../../support/inspector-page.ts'

const STEP = 'tenantry/migrations/20991231000000_stars.sql'

describe.skipIf(CHROMIUM === undefined)(`the followed folder${CHROMIUM_HINT}`, () => {
  const folder = temporaryFolder()
  let browser: Browser
  let dev: CliProcess
  let url: string
  let opened: InspectorPage | undefined

  beforeAll(async () => {
    await runCliIn(folder.path, ['init']).ended
    dev = runCliIn(folder.path, ['dev', '--json', '--memory', '--port', '0'])
    url = (await dev.ready).inspector_url.replace(/\/$/, '')
    browser = await launchChromium()
  })
  afterEach(async () => {
    await opened?.[Symbol.asyncDispose]()
    opened = undefined
  })
  afterAll(async () => {
    await browser?.close()
    dev?.child.kill('SIGTERM')
    await dev?.ended
    folder.remove()
  })

  it('shows the last save on Fixtures, and a refused one on Home too', async () => {
    opened = await openInspectorPage(browser, `${url}/fixtures`)
    const { page } = opened
    const panel = page.getByRole('region', { name: 'Application folder' })
    await panel.getByText(/^Last save applied in/).waitFor()
    writeFileSync(join(folder.path, STEP), '\nalter table nots add column stars integer;\n')
    await panel.getByText('Last save refused. The emulator stays as it was.').waitFor()
    await panel.getByText('migrations/20991231000000_stars.sql:2').waitFor()
    await panel.getByText('alter table nots add column stars integer').waitFor()
    await opened.shoot('followed-refused')
    await page
      .getByRole('navigation', { name: 'Screens' })
      .getByRole('link', { name: 'Home' })
      .click()
    await panel.getByText(/relation "nots" does not exist/).waitFor()
    await opened.shoot('home-followed-refused')
    writeFileSync(join(folder.path, STEP), 'alter table notes add column stars integer;\n')
    await panel.waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { name: 'Home' }).count()).toBe(1)
    opened.expectSilence()
  })
})
