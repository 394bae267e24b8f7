// Finds the slowest request in a browser: its plan for the sender's identity, an index that speeds it up, and its statement in
// the console. Also checks routes and saved filters of the list.
import type { Locator, Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'
import { openScreen } from '../../support/inspector-page.ts'
import type { Json } from '../../support/test-emulator.ts'

const ROWS = 30_000
const SCHEMA = `
create table parcels (id integer primary key, owner uuid not null, shelf integer not null);
create function shelf_limit() returns integer language plpgsql stable as $$ begin
  perform sum(n) from generate_series(1, 40) as n;
  return 900;
end $$;
insert into parcels
select n, ('00000000-0000-4000-8000-' || lpad(to_hex(n % 1000), 12, '0'))::uuid, n % 1000
from generate_series(1, ${ROWS}) as n;
alter table parcels enable row level security;
create policy low_shelves on parcels for select to authenticated using (shelf < shelf_limit());
grant select on parcels to authenticated;`

class Clicks {
  count = 0

  async on(place: Locator): Promise<void> {
    await place.click()
    this.count += 1
  }
}

describeInspector('a slow request', (world) => {
  let aurora: DemoTenant

  beforeAll(async () => {
    aurora = await demoTenant(world.at, 'aurora')
    // Uses the emulator's own API, because the journal does not record its requests.
    const { body } = await world.at.call('POST', '/_emulator/v1/projects/aurora/sql', {
      body: { sql: SCHEMA, identity: 'owner' },
    })
    expect(body.error).toBeNull()
  })

  const requests = (page: Page) => page.getByRole('grid', { name: 'Requests' }).getByRole('row')

  const slowestTarget = async (): Promise<string> => {
    const { body } = await world.at.call('GET', '/_emulator/v1/journal/routes?from_inspector=false')
    const slowest = await Promise.all(
      body.routes.map(async ({ slowest: id }: Json) => {
        const { body: detail } = await world.at.call('GET', `/_emulator/v1/journal/${id}`)
        return detail.entry
      }),
    )
    return slowest.toSorted((one, other) => other.duration_ms - one.duration_ms)[0].target
  }

  it('is found in two clicks, and its index advice in four more; the console opens its statement', async () => {
    const token = await aurora.mint({ kind: 'data_plane_token', user: 'ana@patients.test' })
    // Sends a first request, which also loads the tenant's schema. The header marks it as a request of the inspector, which the
    // list hides.
    await world.at.call('GET', '/rooms', {
      credential: aurora.serviceRoleKey,
      headers: { apikey: aurora.anonKey, 'x-tenantry-inspector': '1' },
    })
    await aurora.get('/rooms?select=id', aurora.serviceRoleKey)
    const slow = await aurora.get('/parcels?select=id&shelf=eq.17&order=id', token)
    expect(slow.body).toHaveLength(ROWS / 1000)
    const { page } = await world.open('/')
    const clicks = new Clicks()
    await openScreen(page, 'Requests')
    clicks.count += 1
    await clicks.on(page.getByRole('columnheader', { name: 'Duration' }).getByRole('button'))
    // Reads the slowest request from the journal, because another request may be slower on a busy machine.
    const [path = ''] = (await slowestTarget()).split('?')
    await requests(page).nth(1).filter({ hasText: path }).waitFor()
    expect(clicks.count).toBeLessThanOrEqual(2)

    await clicks.on(requests(page).filter({ hasText: '/parcels' }).first())
    await clicks.on(page.getByRole('tab', { name: 'SQL' }))
    const sheet = page.getByRole('complementary', { name: 'Request' })
    await sheet.getByText('as ana@patients.test').waitFor()
    const advice = sheet.getByRole('list', { name: 'Advice' }).getByRole('listitem')
    const index = advice.filter({ hasText: 'Index parcels by shelf' })
    await index.getByText(/^30,000 → \d+ rows read$/).waitFor()
    await advice.filter({ hasText: 'call shelf_limit() once' }).waitFor()
    expect(clicks.count).toBeLessThanOrEqual(6)
    await index.getByText(/^create index on "parcels" \("shelf"/).waitFor()
    for (const width of [1_440, 800]) {
      await world.look({ theme: width === 800 ? 'light' : 'dark', width })
      await world.shoot(`request-plan-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
    }
    await world.look({})

    await sheet.getByText('Statement', { exact: true }).scrollIntoViewIfNeeded()
    await world.shoot('request-statement')
    await sheet.getByRole('link', { name: 'Open in SQL console' }).last().click()
    await page.locator('.cm-content').filter({ hasText: 'with pgrst_source as' }).waitFor()
    expect(await page.getByRole('textbox', { name: '$1' }).inputValue()).toBe('17')
    expect(await page.getByRole('combobox', { name: 'Act as' }).innerText()).not.toBe('Owner')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('tab', { name: 'SELECT 1' }).waitFor()
    await world.shoot('sql-parameters')
  })

  it('gets the same advice under the plan of the SQL console', async () => {
    const { page } = await world.open('/t/aurora/sql?as=user:ana@patients.test')
    await page.locator('.cm-content').click()
    await page.keyboard.insertText('select id from parcels where shelf = 17')
    await page.getByRole('button', { name: 'Explain', exact: true }).click()
    const part = page.getByRole('region', { name: 'Advice' })
    await part.getByRole('button', { name: 'Find advice' }).click()
    const advice = part.getByRole('list', { name: 'Advice' }).getByRole('listitem')
    const index = advice.filter({ hasText: 'Index parcels by shelf' })
    await index.getByText(/^30,000 → \d+ rows read$/).waitFor()
    await index.getByText('create index on "parcels" ("shelf");').waitFor()
    for (const width of [1_440, 800]) {
      await world.look({ theme: width === 800 ? 'light' : 'dark', width })
      await world.shoot(`sql-advice-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
    }
    await world.look({})
  })

  it('shows why no advice was tried when it writes with a body', async () => {
    const body = { id: 1, owner: '00000000-0000-4000-8000-000000000001', shelf: 1 }
    const { status } = await world.at.call('POST', '/parcels', {
      credential: aurora.serviceRoleKey,
      headers: { apikey: aurora.anonKey, 'content-profile': 'proj_aurora' },
      body,
    })
    expect(status).toBe(409)
    const { page } = await world.open('/requests')
    await requests(page).filter({ hasText: 'POST/parcels' }).first().click()
    await page.getByRole('tab', { name: 'SQL' }).click()
    const sheet = page.getByRole('complementary', { name: 'Request' })
    await sheet
      .getByText(/^Not tried, because the journal has no values of this statement/)
      .waitFor()
    await world.shoot('request-plan-write')
  })

  it('can be found by a route of the journal or by a saved filter', async () => {
    await aurora.get('/rooms?select=name', aurora.serviceRoleKey)
    await aurora.get('/rooms?select=nothing', aurora.serviceRoleKey)
    await aurora.get('/announcements?select=id', aurora.serviceRoleKey)
    const { page } = await world.open('/requests')
    await page.getByRole('button', { name: 'Show routes' }).click()
    const routes = page.getByRole('region', { name: 'Routes' })
    await routes.getByText(/^\d+ requests? of the journal on \d+ routes?$/).waitFor()
    const rooms = routes.getByRole('row').filter({ hasText: 'GET /rooms' })
    for (const width of [1_440, 800]) {
      await world.look({ theme: width === 800 ? 'light' : 'dark', width })
      await world.shoot(`requests-routes-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
    }
    await world.look({})
    await rooms.click()
    await page.getByRole('button', { name: 'Remove filter Route GET /rooms' }).waitFor()
    await requests(page)
      .filter({ hasText: '/announcements' })
      .first()
      .waitFor({ state: 'detached' })
    await requests(page).filter({ hasText: '/rooms' }).first().waitFor()

    await page.getByRole('button', { name: 'Saved filters' }).click()
    await page.getByRole('textbox', { name: 'Name of this filter' }).fill('rooms only')
    await page.getByRole('button', { name: 'Save filter' }).click()
    await world.shoot('saved-filters')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await page.getByRole('button', { name: 'rooms only', exact: true }).click()
    await page.waitForURL(/route=GET/)
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await page.getByRole('button', { name: 'Delete filter rooms only' }).click()
    await page.getByText('give the filter a name').waitFor()
    expect(await page.getByRole('button', { name: 'rooms only', exact: true }).count()).toBe(0)
  })
})
