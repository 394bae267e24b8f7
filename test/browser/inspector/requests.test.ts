// The requests screen in a browser: the broken link of a refused request, its fix and its replay. Also the live list under load
// and while the user scrolls.
import { beforeAll, expect, it } from 'vitest'
import type { JournalEntry, JournalPage } from '../../../emulator/contract/journal.ts'
import { factsOf } from '../../../renderer/parts/requests/request-facts.ts'
import { formatNumber } from '../../../renderer/ui/format.ts'
import { accessibilityFindings } from '../../support/axe.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'
import { patiently } from '../../support/patience.ts'
import { costText, scrollCost } from '../../support/scroll-cost.ts'

describeInspector('the requests screen', (world) => {
  let aurora: DemoTenant

  async function journal(): Promise<readonly JournalEntry[]> {
    const all: JournalEntry[] = []
    for (;;) {
      const before = all.at(-1)?.sequence
      const query = before === undefined ? '' : `&before=${before}`
      const page = await fetch(`${world.url}/v1/journal?limit=1000${query}`)
      const { entries } = (await page.json()) as JournalPage
      if (entries.length === 0) return all
      all.push(...entries)
    }
  }

  beforeAll(async () => {
    aurora = await demoTenant(world.at, 'aurora')
  })

  it('shows the broken link in a refused request’s access chain, and status 200 after the fix', async () => {
    await aurora.execute(
      'create table secrets (id int primary key); revoke all on secrets from anon',
    )
    const { page } = await world.open('/requests')
    const refused = await aurora.get('/secrets', aurora.anonKey)
    expect(refused.status).toBe(401)

    await page.getByRole('row', { name: '/secrets' }).first().click()
    const sheet = page.getByRole('complementary', { name: 'Request' })
    const broken = sheet.locator('[data-link="grant"][data-state="broken"]')
    await broken.waitFor()
    expect(await broken.innerText()).toContain('fails here')
    expect(await sheet.locator('[data-link="credential"]').getAttribute('data-state')).toBe('holds')
    const sentence = await sheet.locator('[data-sentence]').innerText()
    expect(sentence).toContain('secrets')
    const fix = await sheet.getByRole('figure').locator('pre').innerText()
    expect(fix.toLowerCase()).toContain('grant select')
    await world.shoot('chain')

    await aurora.execute(fix)
    await sheet.getByRole('button', { name: 'Replay' }).click()
    await sheet.locator('[data-status="200"]').first().waitFor()
    await sheet.getByRole('list', { name: 'Stages' }).getByText(/^SQL/).waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await world.shoot('request-waterfall')
  })

  it('copies a request as curl with a fresh credential', async () => {
    const { page } = await world.open('/requests')
    await aurora.get('/announcements?select=title', aurora.anonKey)
    await page.getByRole('row', { name: '/announcements' }).first().click()
    const copied = async (format: string) => {
      await page.getByRole('button', { name: 'Copy request', exact: true }).click()
      await page.getByRole('menuitem', { name: `Copy as ${format}` }).click()
      await page.getByText(`Copied as ${format}`).waitFor()
      // The message covers no button of the top bar.
      await page.getByRole('button', { name: 'Go to…' }).click({ trial: true })
      return page.evaluate(() => navigator.clipboard.readText())
    }
    expect(await copied('test')).toContain("caller.fetch('/announcements?select=title'")
    expect(await copied('fetch')).toMatch(/authorization: 'Bearer eyJ/)
    const command = await copied('curl')
    expect(command).toMatch(/^TOKEN='eyJ/)
    expect(command).toContain("/announcements?select=title'")
    expect(command).toContain('-H "authorization: Bearer $TOKEN"')
  })

  it('shows the facets as menus in a narrow window', async () => {
    await aurora.get('/rooms', 'nonsense')
    const { page } = await world.open('/requests', { width: 800 })
    const facets = page.getByRole('navigation', { name: 'Facets' })
    await facets.getByRole('button', { name: 'Status' }).click()
    await page.getByRole('dialog').getByRole('button', { name: /^4xx/ }).click()
    await page.getByRole('button', { name: 'Remove filter Status 4xx' }).waitFor()
    expect(new URL(page.url()).searchParams.get('status')).toBe('4xx')
    await page.keyboard.press('Escape')
  })

  it('keeps facets and search text in the address', async () => {
    await aurora.get('/rooms', 'nonsense')
    const { page } = await world.open('/requests')
    await page
      .getByRole('navigation', { name: 'Facets' })
      .getByRole('button', { name: '4xx' })
      .click()
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('rooms')
    await page.getByRole('row', { name: '/rooms' }).first().waitFor()
    await page.reload()
    await page.getByRole('row', { name: '/rooms' }).first().waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      status: '4xx',
      q: 'rooms',
    })
    expect(await page.getByRole('row', { name: '/announcements' }).count()).toBe(0)
  })

  it('filters refused requests, and shows the inspector’s own requests only when their filter is chosen', async () => {
    await aurora.get('/rooms?select=id', aurora.serviceRoleKey)
    await world.at.call('GET', '/rooms?of_a_page=1', { headers: { 'x-tenantry-inspector': '1' } })
    const claims = { sub: 'user-7', project_schema: 'proj_aurora' }
    const forged = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.AAAA`
    await aurora.get('/rooms?forged=1', forged)
    const { page } = await world.open('/requests')
    const rows = (name: string) => page.getByRole('row', { name })
    await rows('/rooms?forged=1').getByText('claimed').waitFor()
    await rows('/rooms?select=id').first().waitFor()
    expect(await rows('of_a_page').count()).toBe(0)
    await page.getByRole('button', { name: /^Refused \d/ }).click()
    await rows('/rooms?select=id').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^From the inspector 1/ }).click()
    await rows('of_a_page').waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      refused: 'only',
      own: 'shown',
    })
    await world.shoot('requests-refused')
  })

  it('draws the traffic in wide and narrow windows', async () => {
    await aurora.get('/no_such_table', aurora.serviceRoleKey)
    const { page } = await world.open('/requests')
    const traffic = page.getByRole('region', { name: 'Traffic' })
    for (const width of [1_440, 800]) {
      await world.look({ theme: width === 800 ? 'light' : 'dark', width })
      await traffic.getByText(/^\d+ requests?, \d+ refused, p50 .* ms/).waitFor()
      await traffic.getByRole('button', { name: /^PGRST205/ }).waitFor()
      await world.shoot(`requests-traffic-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
    }
  })

  it('selects a part of the timeline with pointer and keys', async () => {
    await aurora.get('/rooms?select=name', aurora.serviceRoleKey)
    const { page } = await world.open('/requests')
    const traffic = page.getByRole('region', { name: 'Traffic' })
    const area = traffic.locator('[data-brush]')
    const box = await area.boundingBox()
    if (box === null) throw new Error('The timeline has no size')
    await page.mouse.move(box.x + box.width * 0.6, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width - 1, box.y + 20, { steps: 4 })
    await page.mouse.up()
    await page.waitForURL(/[?&]from=\d+/)
    const address = () => new URL(page.url()).searchParams
    const [from, to] = [Number(address().get('from')), Number(address().get('to'))]
    expect(to).toBeGreaterThan(from)
    const start = traffic.getByRole('slider', { name: 'Start of the selected time' })
    await start.press('ArrowRight')
    await expect.poll(() => Number(address().get('from'))).toBeGreaterThan(from)
    await page.reload()
    await traffic.getByRole('button', { name: 'Clear selection' }).waitFor()
    await start.press('Escape')
    await page.waitForURL((url) => !url.searchParams.has('from'))
  })

  it('edits a request and sends it again', async () => {
    const { page } = await world.open('/requests')
    await aurora.get('/nothing_like_it', aurora.anonKey)
    await page.getByRole('row', { name: '/nothing_like_it' }).first().click()
    await page.getByRole('tab', { name: 'Resend' }).click()
    await page.getByLabel('Target').fill('/treatments?select=name')
    await page.getByRole('button', { name: 'Send request' }).click()
    const sheet = page.getByRole('complementary', { name: 'Request' })
    await sheet.getByRole('heading', { name: '/treatments' }).waitFor()
    await sheet.getByRole('tab', { name: 'Bodies' }).click()
    await sheet.getByText('"Vaccination"').waitFor()
  })

  it('keeps the list unchanged while paused, and counts new requests', async () => {
    const { page } = await world.open('/requests')
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    await aurora.get('/staff?select=name', aurora.anonKey)
    await page.getByText('paused · 1 new').waitFor()
    expect(await page.getByRole('row', { name: '/staff?select=name' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('row', { name: '/staff?select=name' }).first().waitFor()
  })

  it('counts all requests of the journal, and finds the slowest request with one click', async () => {
    for (let sent = 0; sent < 1_100; sent += 50)
      await Promise.all(Array.from({ length: 50 }, () => aurora.get('/patients', 'no-key')))
    const all = await journal()
    const refusals = all.filter((entry) => factsOf(entry).isRefused)
    const { page } = await world.open('/requests?own=shown')
    await page.getByText(`${formatNumber(all.length)} of ${formatNumber(all.length)}`).waitFor()
    await page.getByRole('button', { name: `Refused ${formatNumber(refusals.length)}` }).waitFor()

    await page.getByRole('columnheader', { name: 'Duration' }).getByRole('button').click()
    await page.waitForURL(/sort=slowest/)
    const [slowest] = all.toSorted((a, b) => b.duration_ms - a.duration_ms)
    const first = page.getByRole('row').nth(1)
    await first.filter({ hasText: slowest?.target.split('?')[0] ?? '' }).waitFor()
  })

  it(
    'scrolls ten thousand requests with about the work of a few hundred, and can be paused after a flood',
    async () => {
      const { page } = await world.open('/requests')
      const grid = page.getByRole('grid', { name: 'Requests' })
      await ask(300, 64)
      await page.getByRole('row', { name: '/flood' }).first().waitFor()
      const few = await scrollCost(page)
      await ask(10_000, 64)
      await expect
        .poll(
          async () => {
            await grid.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
            return grid.getAttribute('aria-rowcount')
          },
          { timeout: patiently(60_000) },
        )
        .toBe('10001')

      const many = await scrollCost(page)
      const flood = ask(4_000, 64)
      const busy = await scrollCost(page)
      const rate = await flood

      process.stderr.write(
        `300 requests, scrolling: ${costText(few)}\n10,000 requests: ${costText(many)}\nwith ${rate} requests/s arriving: ${costText(busy)}\n`,
      )
      // Compares processor times of the same run, so that other processes on the machine do not affect the result.
      expect(many.work).toBeLessThanOrEqual(3 * few.work + 2)
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText(/^paused/).waitFor()
    },
    patiently(180_000),
  )

  /** Sends cheap requests. Returns how many responses arrived per second. */
  async function ask(count: number, atOnce: number): Promise<number> {
    const from = performance.now()
    let left = count
    const worker = async () => {
      while (left > 0) {
        left -= 1
        await (await world.at.emulator.fetch(new Request(`${world.at.url}/flood?n=${left}`))).text()
      }
    }
    await Promise.all(Array.from({ length: atOnce }, worker))
    return Math.round(count / ((performance.now() - from) / 1_000))
  }
})
