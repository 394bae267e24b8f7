// Bundles in a browser: created by clicking, then opened in an emulator of their own.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBundle } from '../../../emulator/index.ts'
import { describeInspector } from '../../support/describe-inspector.ts'
import { openInspectorPage } from '../../support/inspector-page.ts'

describeInspector('the bundle dialog', (world) => {
  let folder: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tenantry-bundles-'))
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
  })

  /** Fills in the open dialog, and saves the bundle that the browser downloads. */
  async function create(page: Page, file: string): Promise<string> {
    const dialog = page.getByRole('dialog', { name: 'Create bundle' })
    await dialog.getByLabel('Note').fill('<b>no</b> projects')
    const download = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Create bundle' }).click()
    const path = join(folder, file)
    await (await download).saveAs(path)
    return path
  }

  it('creates a bundle that links to the chosen request', async () => {
    const refused = await world.at.call('GET', '/platform/v1/projects/prj_nothing', {
      credential: world.at.session,
    })
    const id = refused.headers.get('x-request-id') ?? ''
    const { page } = await world.open(`/requests/${id}`)
    await page.getByRole('button', { name: 'Bundle this request' }).click()
    const path = await create(page, 'request.tenantry')

    const emulator = await openBundle(path)
    try {
      const { port } = await emulator.listen({ port: 0, host: '127.0.0.1' })
      const url = `http://127.0.0.1:${port}/_emulator/`
      await using shown = await openInspectorPage(world.browser, url)
      await shown.page.getByText(/request\.tenantry.*: <b>no<\/b> projects/).waitFor()
      await shown.page.getByRole('link', { name: 'Show request' }).click()
      const sheet = shown.page.getByRole('complementary', { name: 'Request' })
      await sheet.getByText('/platform/v1/projects/prj_nothing').first().waitFor()
      await sheet.getByRole('button', { name: 'Replay' }).click()
      await shown.page.getByText(`Response ${refused.status}`).first().waitFor()
      await shown.shoot('bundle-opened')
      shown.expectSilence()
    } finally {
      await emulator.close()
    }
  })

  it('creates a bundle without the state', async () => {
    const { page } = await world.open('/snapshots')
    await page.getByRole('button', { name: 'Create bundle…' }).click()
    await page.getByRole('checkbox', { name: 'Include the state' }).click()
    await page.getByText(/Passwords and credentials are masked/).waitFor()
    await world.shoot('bundle-dialog')
    const path = await create(page, 'small.tenantry')
    const emulator = await openBundle(path)
    expect(emulator.bundle).toMatchObject({ has_state: false, note: '<b>no</b> projects' })
    await emulator.close()
  })
})
