// The mailbox in a browser: a message arrives, its code is copied, its HTML shows and executes nothing.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInspector } from '../../support/describe-inspector.ts'
import type { TestEmulator } from '../../support/test-emulator.ts'

describeInspector('the mailbox screen', (world) => {
  it('explains an empty mailbox', async () => {
    await world.at.call('DELETE', '/_emulator/v1/mailbox')
    const { page } = await world.open('/mailbox')
    await page.getByText('No messages yet').waitFor()
    await world.shoot('mailbox-empty')
  })

  it('shows a message when it arrives, and copies its code', async () => {
    const { page } = await world.open('/mailbox')
    await sendCode(world.at, 'aurora', { email: 'ana@patients.test', channel: 'email' })
    const row = page.getByRole('row', { name: /ana@patients\.test/ }).first()
    await row.getByText('Unread').waitFor()
    await row.click()
    const sheet = page.getByRole('complementary', { name: 'Message' })
    const code = await sheet.locator('[data-code]').innerText()
    expect(code).toMatch(/^\d{6}$/)
    await sheet.getByRole('button', { name: 'Copy code' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
    await row.getByText('Unread').waitFor({ state: 'detached' })
    await page.frameLocator('iframe').getByText(code).first().waitFor()
    await sheet.getByRole('tab', { name: 'Text' }).click()
    await sheet.locator('pre').getByText(code).waitFor()
  })

  it('lists messages of several channels, and filters them by channel', async () => {
    const { at } = world
    await sendCode(at, 'aurora', { phone: '+5551990000004', channel: 'whatsapp' })
    await sendCode(at, 'boavista', { phone: '+558130000001', channel: 'sms' })
    await sendCode(at, 'boavista', { email: 'rocha@boavista.test', channel: 'email' })
    const { page } = await world.open('/mailbox')
    await page
      .getByRole('row', { name: /rocha@boavista\.test/ })
      .first()
      .click()
    await page.frameLocator('iframe').getByText(/\d{6}/).first().waitFor()
    await world.shoot('mailbox')
    await page.getByLabel('Channel', { exact: true }).first().click()
    await page.getByRole('option', { name: 'WhatsApp' }).click()
    await page
      .getByRole('row', { name: /\+5551990000004/ })
      .first()
      .waitFor()
    expect(await page.getByRole('row', { name: /rocha/ }).count()).toBe(0)
    expect(new URL(page.url()).searchParams.get('channel')).toBe('whatsapp')
  })

  it('runs no script of a hostile message', async () => {
    const asked: string[] = []
    await using tracker = await startTracker()
    const { page } = await world.open('/mailbox?message=7', {
      isFresh: true,
      before: async (shown) => {
        shown.on('request', (request) => asked.push(request.url()))
        await serveHostile(shown, tracker.url)
      },
    })
    await page.frameLocator('iframe').getByText('Dear reader').waitFor()
    await world.shoot('mailbox-hostile')
    await page.getByRole('tab', { name: 'Text' }).click()
    await page.getByText('<script>top.owned = 1</script>').last().waitFor()
    expect(await page.evaluate(() => 'owned' in globalThis)).toBe(false)
    expect(await page.getByRole('link', { name: 'Open link' }).count()).toBe(0)
    expect(tracker.hits).toEqual([])
    expect(asked.filter((url) => url.includes('stolen'))).toEqual([])
    expect(page.context().pages()).toHaveLength(1)
    world.allow(/about:srcdoc/, /Content Security Policy/, /sandbox/)
    // Closes the screen, because it would request the message, which the emulator does not have, when the next message arrives.
    await page.goto('about:blank')
  })

  it('clears the mailbox of one tenant', async () => {
    await sendCode(world.at, 'aurora', { email: 'silva@aurora.test', channel: 'email' })
    await sendCode(world.at, 'boavista', { email: 'rocha@boavista.test', channel: 'email' })
    const { page } = await world.open('/mailbox?tenant=aurora')
    await page.getByRole('row', { name: /silva/ }).first().waitFor()
    await page.getByRole('button', { name: 'Clear mailbox of aurora' }).click()
    await page.getByText('No message matches').waitFor()
    await page.getByRole('button', { name: 'Show all messages' }).click()
    await page.getByRole('row', { name: /rocha/ }).first().waitFor()
  })

  it('shows the request that waits for the next message', async () => {
    const { page } = await world.open('/mailbox?tenant=aurora&channel=sms')
    await page.getByRole('button', { name: 'Wait in a test…' }).click()
    const line = await page.getByRole('group', { name: 'curl' }).innerText()
    expect(line).toContain('/_emulator/v1/mailbox/next?project=aurora&channel=sms')
    await world.shoot('mailbox-wait')
  })

  it('opens, closes and searches messages by keyboard', async () => {
    await sendCode(world.at, 'aurora', { email: 'costa@aurora.test', channel: 'email' })
    const { page } = await world.open('/mailbox')
    await page.getByRole('row', { name: /costa/ }).first().waitFor()
    await page.keyboard.press('j')
    await page.getByRole('complementary', { name: 'Message' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Message' }).waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('no-such-recipient')
    await page.getByText('No message matches').waitFor()
  })
})

async function sendCode(
  at: TestEmulator,
  slug: string,
  body: Readonly<Record<string, string>>,
): Promise<void> {
  const { groups } = (await at.call('GET', '/_emulator/v1/info')).body
  const tenant = groups[0].tenants.find((one: { slug: string }) => one.slug === slug)
  const sent = await at.call('POST', '/auth/v1/otp/send', {
    headers: { apikey: tenant.anon_key },
    body,
  })
  expect(sent.status).toBe(200)
}

/**
 * Serves a message with every kind of hostile content that a template could contain. The platform itself never writes such a
 * message.
 */
async function serveHostile(page: Page, tracker: string): Promise<void> {
  const message = {
    id: 7,
    schema_name: 'proj_aurora',
    channel: 'email',
    to: '"<img src=x onerror=top.owned=1>"@evil.test',
    purpose: 'magic_link',
    subject: '<img src=x onerror="window.owned = 1">',
    text: '<script>top.owned = 1</script>',
    html: `<p>Dear reader</p><script>top.owned = 1</script><img src=x onerror="top.owned = 1">
      <img src="${tracker}/pixel.png"><iframe srcdoc="<script>top.owned=1</script>"></iframe>
      <meta http-equiv="refresh" content="0; url=/_emulator/v1/stolen">
      <form action="/_emulator/v1/stolen" id="f"><input autofocus onfocus="top.owned = 1"></form>
      <svg onload="top.owned = 1"></svg><link rel="stylesheet" href="${tracker}/a.css">
      <style>@import url(${tracker}/b.css); p { background: url(${tracker}/c) }</style>`,
    code: '<b>1</b>',
    link: 'javascript:window.owned=1',
    sent_at: '2026-11-21T10:00:00.000Z',
    is_read: false,
  }
  await page.route(/\/_emulator\/v1\/mailbox\?/, (route) =>
    route.fulfill({ json: { messages: [message] } }),
  )
  await page.route(/\/_emulator\/v1\/mailbox\/7$/, (route) => route.fulfill({ json: message }))
}

/**
 * A foreign server that records every path. The browser also reports requests that it blocks, so only the server shows which
 * requests were sent.
 */
async function startTracker(): Promise<
  AsyncDisposable & { readonly url: string; readonly hits: readonly string[] }
> {
  const hits: string[] = []
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hits,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
