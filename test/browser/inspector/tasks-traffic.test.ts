// Tasks of a developer with requests, messages, files and tokens, with the number of clicks that each may take.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { Clicks } from '../../support/clicks.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'

const ANA = 'ana@patients.test'

describeInspector('a developer at the traffic', (world) => {
  let aurora: DemoTenant

  beforeAll(async () => {
    aurora = await demoTenant(world.at, 'aurora')
  })

  it('sees in 5 clicks which users receive a changed row', async () => {
    const { page, clicks } = await start()
    await clicks.screen('Realtime')
    await clicks.on(page.getByRole('button', { name: 'Change a row' }))
    const sheet = page.getByRole('complementary', { name: 'Change a row' })
    await sheet.getByText('No channel subscribes to').waitFor()
    await world.shoot('task-fan-out-join')
    await sheet.getByRole('combobox', { name: 'Table' }).press('Enter')
    await page.keyboard.type('appointments')
    await page.keyboard.press('Enter')
    await clicks.on(sheet.getByRole('button', { name: /^Join as anon and \d+ users$/ }))
    await sheet.getByText('No channel subscribes to').waitFor({ state: 'detached' })
    await clicks.on(sheet.getByRole('button', { name: 'Edit row 1' }))
    await sheet.getByRole('combobox', { name: 'state' }).press('Enter')
    await page.keyboard.type('arrived')
    await page.keyboard.press('Enter')
    await clicks.on(sheet.getByRole('button', { name: 'Update row' }))
    const subscribers = page.getByRole('list', { name: 'Subscribers' })
    const verdictOf = (who: string) => subscribers.getByRole('listitem').filter({ hasText: who })
    await verdictOf('reception@aurora.test').getByText('delivered').waitFor()
    await verdictOf('anon').getByText('hidden').waitFor()
    expect(clicks.count).toBe(5)
    await world.shoot('task-fan-out')
    await page.getByRole('tab', { name: 'Test channels' }).click()
    await page.getByRole('button', { name: /^Leave \d+ channels$/ }).click()
    await page.getByText('No test channels').waitFor()
  })

  it('takes a code from the mailbox in 2 clicks, and follows the code’s user in 4', async () => {
    await world.at.call('POST', '/auth/v1/otp/send', {
      headers: { apikey: aurora.anonKey },
      body: { email: ANA, channel: 'email' },
    })
    const { page, clicks } = await start()
    await clicks.screen('Mailbox')
    await clicks.on(page.getByRole('row', { name: ANA }).first())
    const message = page.getByRole('complementary', { name: 'Message' })
    expect(await message.locator('[data-code]').innerText()).toMatch(/^\d{6}$/)
    expect(clicks.count).toBe(2)
    await clicks.on(page.getByRole('combobox', { name: 'Act as' }))
    await page.keyboard.type(ANA)
    await page.getByRole('option', { name: ANA }).first().waitFor()
    await page.keyboard.press('Enter')
    await clicks.on(page.getByRole('link', { name: 'Follow', exact: true }))
    await page.getByRole('grid', { name: 'Activity' }).getByText('Message').first().waitFor()
    expect(clicks.count).toBeLessThanOrEqual(4)
  })

  it('uploads a file, signs its address and sees the quota in 5 clicks', async () => {
    const { page, clicks } = await start()
    await clicks.screen('Storage')
    const buckets = page.getByRole('navigation', { name: 'Buckets' })
    await clicks.on(buckets.getByRole('link', { name: 'documents' }))
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      clicks.on(page.getByRole('button', { name: 'Upload files' })),
    ])
    const buffer = Buffer.from('Bring the referral letter.')
    await chooser.setFiles({ name: 'task.txt', mimeType: 'text/plain', buffer })
    const objects = page.getByRole('grid', { name: 'Objects' })
    await clicks.on(objects.getByRole('button', { name: 'task.txt', exact: true }))
    await clicks.on(page.getByRole('button', { name: 'Sign URL' }))
    const address = await page.getByTestId('signed-url').innerText()
    expect(await (await fetch(address)).text()).toBe(buffer.toString())
    await page.getByText(/^Used/).first().waitFor()
    expect(clicks.count).toBeLessThanOrEqual(5)
    await world.shoot('task-upload')
  })

  it('copies a refused request as a test in 2 clicks', async () => {
    const { page, clicks } = await start('refused')
    await clicks.on(page.getByRole('button', { name: 'Copy request', exact: true }))
    await page.getByRole('menuitem', { name: 'Copy as test' }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByText('Copied as test').waitFor()
    expect(clicks.count).toBe(2)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(
      'expect(answer.status).toBe(401)',
    )
  })

  it('saves a bundle of a refused request in 2 clicks', async () => {
    const { page, clicks } = await start('refused')
    await clicks.on(page.getByRole('button', { name: 'Bundle this request' }))
    await page.getByRole('dialog', { name: 'Create bundle' }).getByLabel('Note').fill('refused')
    const download = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    expect((await download).suggestedFilename()).toMatch(/\.tenantry$/)
    expect(clicks.count).toBe(2)
  })

  it('decodes a token in one click', async () => {
    const token = await aurora.mint({ kind: 'data_plane_token', user: ANA })
    const { page, clicks } = await start()
    await clicks.screen('Tokens')
    await page.getByLabel('Key or token, with or without Bearer').fill(token)
    await page
      .getByRole('region', { name: 'Verdict' })
      .getByText('valid', { exact: true })
      .waitFor()
    await page.getByText(`"${ANA}"`).first().waitFor()
    expect(clicks.count).toBe(1)
  })

  /** Opens Home. With `refused`, one click on Home then opens the newest refused request. */
  async function start(at?: 'refused'): Promise<{ readonly page: Page; readonly clicks: Clicks }> {
    if (at === 'refused')
      expect((await aurora.get('/staff', aurora.anonKey.replace(/.$/, '#'))).status).toBe(401)
    const { page } = await world.open('/', { isFresh: true })
    const clicks = new Clicks(page)
    if (at === 'refused') {
      const problems = page.getByRole('region', { name: 'Problems' })
      await clicks.on(problems.getByRole('link', { name: /signature of the token does not match/ }))
      await page.getByRole('complementary', { name: 'Request' }).waitFor()
    }
    return { page, clicks }
  }
})
