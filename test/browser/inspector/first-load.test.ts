// The size of the inspector's first load, the cost of scrolling long lists, and the scripts that the browser refuses to run.
import { beforeAll, expect, it } from 'vitest'
import { demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'
import { loaded } from '../../support/inspector-page.ts'
import { patiently } from '../../support/patience.ts'
import { costText, scrollCost } from '../../support/scroll-cost.ts'
import type { Json } from '../../support/test-emulator.ts'

/** Largest transfer size of the scripts of the shell and its first screen, in bytes. */
const SCRIPT_BUDGET = 300 * 1_024

/** Equals 50 frames per second. */
const MILLIS_PER_FRAME = 20

describeInspector('the inspector’s page', (world) => {
  beforeAll(async () => {
    const aurora = await demoTenant(world.at, 'aurora')
    const tables = Array.from(
      { length: 200 },
      (_, at) => `create table list_${at} (id int primary key);`,
    )
    await aurora.execute(
      `create table many (id int primary key, name text, price numeric, born date, is_open bool, tags text[]);
       insert into many select n, 'row ' || n, n * 1.5, '2026-01-01', n % 2 = 0, '{a,b}'
         from generate_series(1, 10000) as n;
       ${tables.join('')}`,
    )
  })

  it('loads at most 300 KB of compressed script', async () => {
    const { page } = await world.open('/', { isFresh: true })
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()

    const { scriptBytes, interactiveMillis } = await page.evaluate(() => ({
      scriptBytes: performance
        .getEntriesByType('resource')
        .filter((entry): entry is PerformanceResourceTiming => /\.js$/.test(entry.name))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
      interactiveMillis: Math.round(performance.now()),
    }))

    console.log(
      `first screen: ${Math.round(scriptBytes / 1_024)} KB of script, usable after ${interactiveMillis} ms`,
    )
    expect(scriptBytes).toBeGreaterThan(0)
    expect(scriptBytes).toBeLessThanOrEqual(SCRIPT_BUDGET)
  })

  it.each([
    ['10,000 rows', '/t/aurora/tables/many', '[role=grid]'],
    ['200 tables', '/t/aurora/tables', 'nav[aria-label=Tables] > :last-child'],
    ['1,000 tenants', '/tenants', '[role=grid]'],
  ])('scrolls %s at 50 frames a second', async (what, path, list) => {
    const { page } = await world.open(path, {
      isFresh: true,
      before: (shown) =>
        shown.route('**/_emulator/v1/overview', async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: withTenants(await response.json(), 1_000) })
        }),
    })
    await page.locator(list).first().waitFor()
    await loaded(page)
    const cost = await scrollCost(page, list)
    process.stderr.write(`${what}, scrolling: ${costText(cost)}\n`)
    expect(cost.work).toBeLessThanOrEqual(patiently(MILLIS_PER_FRAME))
  })

  it('runs no script injected into the page', async () => {
    const { page } = await world.open('/')

    const ran = await page.evaluate(async () => {
      const inline = document.createElement('script')
      inline.textContent = 'globalThis.slippedIn = "inline"'
      document.body.append(inline)
      const image = document.createElement('div')
      image.innerHTML = '<img src="x" onerror="globalThis.slippedIn = \'handler\'">'
      document.body.append(image)
      const foreign = document.createElement('script')
      foreign.src = 'data:text/javascript,globalThis.slippedIn="data"'
      document.body.append(foreign)
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100)))
      return Reflect.get(globalThis, 'slippedIn')
    })

    expect(ran).toBeUndefined()
    world.allow(/Content Security Policy/)
  })

  it('is not shown in a frame of another site', async () => {
    const answer = await fetch(`${world.url}/`)

    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

/** Adds copies of tenants to the overview, because provisioning so many tenants would take minutes. */
function withTenants(overview: Json, count: number): Json {
  const [group] = overview.groups
  const tenants = Array.from({ length: count }, (_, at) => ({
    ...group.tenants[at % group.tenants.length],
    id: `project-${at}`,
    slug: `tenant_${at}`,
  }))
  return { ...overview, groups: [{ ...group, tenants: [...group.tenants, ...tenants] }] }
}
