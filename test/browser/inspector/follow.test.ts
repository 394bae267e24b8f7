// Following a user in a browser: a live list of the user's requests, and the user's session in the application.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'
import { type PageServer, startPageServer } from '../../support/page-server.ts'

const ANA = 'ana@patients.test'

describeInspector('following a user', (world) => {
  let aurora: DemoTenant
  let application: PageServer

  beforeAll(async () => {
    aurora = await demoTenant(world.at, 'aurora')
    application = await startPageServer({
      url: world.at.url,
      key: aurora.anonKey,
      project: aurora.slug,
    })
  })
  afterAll(() => application?.[Symbol.asyncDispose]())

  const lines = (page: Page) => page.getByRole('grid', { name: 'Activity' }).getByRole('row')

  it('shows the user’s activity live, and links a request to its screen', async () => {
    const { page } = await world.open('/t/aurora/users?q=ana')
    await page.getByRole('row', { name: /ana@patients/ }).click()
    await page.getByRole('link', { name: 'Follow', exact: true }).click()
    await page.waitForURL(/\/t\/aurora\/follow\?as=user/)
    await page.getByRole('grid', { name: 'Activity' }).waitFor()
    const token = await aurora.mint({ kind: 'data_plane_token', user: ANA })
    await aurora.get('/appointments?select=id', token)
    await lines(page).filter({ hasText: 'GET /appointments?select=id' }).getByText('200').waitFor()
    await world.at.call('POST', '/auth/v1/otp/send', {
      headers: { apikey: aurora.anonKey },
      body: { email: ANA },
    })
    const message = lines(page).filter({ hasText: 'Message' }).first()
    await message.getByText(/^\d{6}$/).waitFor()
    for (const [theme, width] of [
      ['dark', 1_440],
      ['light', 800],
    ] as const) {
      await world.look({ theme, width })
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot(`follow-${width}`)
    }
    await world.look({ theme: 'dark', width: 1_440 })
    await page.getByRole('tab', { name: /Requests/ }).click()
    await message.waitFor({ state: 'detached' })
    await lines(page)
      .getByRole('link', { name: /GET \/appointments/ })
      .first()
      .click()
    await page.waitForURL(/\/requests\/req_.*as=user/)
    await page.getByRole('link', { name: 'Follow', exact: true }).click()
    await page.waitForURL(/\/follow/)
  })

  it('lists users to follow while no user is chosen', async () => {
    const { page } = await world.open('/t/aurora/follow')
    await page.getByRole('list', { name: 'Users' }).getByRole('link', { name: ANA }).click()
    await page.waitForURL(/\/follow\?as=user/)
    await page.getByRole('grid', { name: 'Activity' }).waitFor()
  })

  it('opens the application signed in as the user, and remembers the application’s address', async () => {
    const { page } = await world.open(`/t/aurora/follow?as=user:${ANA}`, { isFresh: true })
    await page.getByLabel('Address of the application').fill(application.url)
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Open application' }).click(),
    ])
    await opened.getByText(ANA).waitFor()
    expect(opened.url()).toBe(application.url)
    await opened.close()
    await lines(page).filter({ hasText: '/auth/v1/verify' }).first().waitFor()
    await page.reload()
    const field = page.getByLabel('Address of the application')
    await field.waitFor()
    expect(await field.inputValue()).toBe(application.url)
  })
})
