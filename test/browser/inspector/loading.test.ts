// What screens ask the emulator for: each route once, and nothing that they do not show. An audit shows each table once it is counted.
import { expect, it } from 'vitest'
import { SCREENS } from '../../../emulator/contract/screens.ts'
import { describeInspector } from '../../support/describe-inspector.ts'
import { type InspectorPage, loaded, openTab } from '../../support/inspector-page.ts'
import { patiently } from '../../support/patience.ts'

const API = '/_emulator/v1'
const ADDRESSES = SCREENS.map(({ path }) => path.replace('$tenant', 'aurora'))

describeInspector('the inspector’s screens', (world) => {
  it(
    'ask for each route once',
    async () => {
      await using tab = await openTab(world.browser)
      await tab.page.addInitScript(stopTime)
      const repeated: string[] = []
      for (const path of ADDRESSES)
        for (let isDisturbed = true; isDisturbed; ) {
          const calls = await callsOf(tab, world.url + path)
          // An event between the first answer and the stream makes screens load again, as they should.
          const { headers } = await world.at.call('GET', `${API}/health`)
          isDisturbed = headers.get('x-tenantry-events') !== calls.events
          const twice = calls.asked.filter((call, index, all) => all.indexOf(call) !== index)
          if (!isDisturbed) repeated.push(...twice.map((call) => `${path}: ${call}`))
        }
      expect(repeated).toEqual([])
    },
    patiently(120_000),
  )

  it('shows the first table of an audit before the last one is counted', async () => {
    await using tab = await openTab(world.browser)
    await tab.page.addInitScript(holdAudit)
    await tab.load(`${world.url}/t/aurora/audit`)
    const { page } = tab
    const grid = page.getByRole('table', { name: 'Tables and identities' })
    await page.getByText(/^1 of \d+ tables$/).waitFor()
    expect(await grid.getByRole('link', { name: /^anon, / }).count()).toBe(1)
    expect(await grid.getByText('Counting rows…').count()).toBeGreaterThan(1)
    await page.evaluate(() => Reflect.get(globalThis, 'release')())
    await page.getByText(/cells? in /).waitFor()
    expect(await grid.getByText('Counting rows…').count()).toBe(0)
    tab.expectSilence()
  })
})

interface Calls {
  readonly asked: readonly string[]
  /** The number of the emulator's events at the first request. */
  readonly events: string | undefined
}

async function callsOf({ page }: InspectorPage, url: string): Promise<Calls> {
  const asked: string[] = []
  const answers: Promise<string | null>[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname.startsWith(API) && !pathname.endsWith('/events'))
      asked.push(`${request.method()} ${pathname}${search} ${request.postData() ?? ''}`)
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (pathname.startsWith(API) && !pathname.endsWith('/events'))
      answers.push(response.headerValue('x-tenantry-events'))
  })
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  await loaded(page)
  page.removeAllListeners('request')
  page.removeAllListeners('response')
  const counts = (await Promise.all(answers)).map(Number)
  return { asked, events: String(Math.min(...counts)) }
}

/** Runs in the page. Answers stay fresh, and nothing is asked for at intervals. */
function stopTime(): void {
  Date.now = () => 0
  Reflect.set(globalThis, 'setInterval', () => 0)
}

/** Runs in the page. Keeps the lines of an audit after its first table until `release()`. */
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
