// An audit shows each table as soon as it is counted.
import { expect, it } from 'vitest'
import { describeInspector } from '../../support/describe-inspector.ts'
import { openTab } from '../../support/inspector-page.ts'

describeInspector('the audit’s screen', (world) => {
  it('shows the first table of an audit before the last one is counted', async () => {
    await using tab = await openTab(world.browser)
    await tab.page.addInitScript(holdAudit)
    await tab.load(`${world.url}/t/aurora/audit`)
    const { page } = tab
    const grid = page.getByRole('table', { name: 'Tables and identities' })
    await page.getByText(/^1 of \d+ tables$/).waitFor()
    // Buckets have cells from the start, so the test counts only the cells of tables.
    const ofTables = grid.getByRole('link', { name: /^anon, (?!documents|site)/ })
    expect(await ofTables.count()).toBe(1)
    expect(await grid.getByText('Counting rows…').count()).toBeGreaterThan(1)
    await page.evaluate(() => Reflect.get(globalThis, 'release')())
    await page.getByText(/cells? in /).waitFor()
    expect(await grid.getByText('Counting rows…').count()).toBe(0)
    tab.expectSilence()
  })
})

/** Runs in the page. Holds back the lines after the audit's first table until the test calls `release()`. */
function holdAudit(): void {
  const send = globalThis.fetch
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  Reflect.set(globalThis, 'release', release)
  globalThis.fetch = async (input, init) => {
    const response = await send(input, init)
    if (!String(input).endsWith('/audit/parts')) return response
    const lines = (await response.text()).split(/(?<=\n)/)
    const body = new ReadableStream<Uint8Array>({
      start: async (controller) => {
        const encoder = new TextEncoder()
        for (const line of lines.slice(0, 2)) controller.enqueue(encoder.encode(line))
        await released
        for (const line of lines.slice(2)) controller.enqueue(encoder.encode(line))
        controller.close()
      },
    })
    return new Response(body, response)
  }
}
