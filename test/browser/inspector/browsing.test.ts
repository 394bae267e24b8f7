// Which of the application’s requests the inspector's pages receive.
import { it } from 'vitest'
import { describeInspector } from '../../support/describe-inspector.ts'
import { until } from '../../support/until.ts'

const API = '/_emulator/v1'

describeInspector('browsing the inspector', (world) => {
  it('streams requests to the list of requests, but not to Home', async () => {
    const streams: string[] = []
    // Without shared workers, the page itself opens the event stream, so that the test sees the stream's address.
    const { page } = await world.open('/', {
      isFresh: true,
      before: async (shown) => {
        await shown.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
        shown.on('request', (request) => {
          const { pathname, search } = new URL(request.url())
          if (pathname === `${API}/events`) streams.push(search)
        })
      },
    })
    await until(() => streams.at(-1) === '?requests=false')
    await page.getByRole('list', { name: 'Services' }).waitFor()
    await page.getByRole('link', { name: 'Open requests' }).click()
    await until(() => streams.at(-1) === '')
    await page.locator('header').getByRole('link', { name: 'Tenantry' }).click()
    await until(() => streams.at(-1) === '?requests=false')
  })
})
