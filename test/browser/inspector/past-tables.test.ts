// The tables screen as of an earlier instant, with the timeline of the requests that changed rows, and the last writer of a cell.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeOwnInspector } from '../../support/describe-inspector.ts'
import { loaded } from '../../support/inspector-page.ts'

const RECEPTION = 'reception@aurora.test'
const ROOMS = '/t/aurora/tables/rooms'
const idOf = (answer: { readonly headers: Headers }) => answer.headers.get('x-request-id') ?? ''
const instant = (page: Page) => page.getByRole('slider', { name: 'Instant' })
const band = (page: Page) => page.getByRole('status').filter({ hasText: 'As of' })
const cell = (page: Page, text: string) => page.getByRole('gridcell', { name: text, exact: true })
const atOf = (page: Page) => new URL(page.url()).searchParams.get('at')

describeOwnInspector(
  'tables as of an earlier instant',
  (world) => {
    let aurora: DemoTenant
    let reception: string
    const requests: string[] = []
    beforeAll(async () => {
      aurora = await demoTenant(world.at, 'aurora')
      reception = await aurora.mint({ kind: 'data_plane_token', user: RECEPTION })
      for (const name of ['First name', 'Second name', 'Third name'])
        requests.push(idOf(await aurora.patch('/rooms?id=eq.1', aurora.serviceRoleKey, { name })))
    })

    it('steps from change to change with the keys, and back to now', async () => {
      const { page } = await world.open(ROOMS)
      await cell(page, 'Third name').waitFor()
      await page.getByRole('button', { name: 'As of' }).click()
      await instant(page).waitFor()
      expect(await instant(page).getAttribute('aria-valuetext')).toBe('now')
      await instant(page).focus()
      await page.keyboard.press('ArrowLeft')
      await cell(page, 'Second name').waitFor()
      await page.keyboard.press('ArrowLeft')
      await cell(page, 'First name').waitFor()
      expect(atOf(page)).toBe(requests[1])
      expect(await instant(page).getAttribute('aria-valuetext')).toMatch(
        /^before .*, service_role, rooms$/,
      )
      await page.keyboard.press('ArrowRight')
      await cell(page, 'Second name').waitFor()
      await page.keyboard.press('End')
      await cell(page, 'Third name').waitFor()
      expect(atOf(page)).toBe(null)
      await page.keyboard.press('Home')
      await page.getByText('No rows at this instant').waitFor()
      await page.getByRole('button', { name: 'Now', exact: true }).click()
      await cell(page, 'Third name').waitFor()
      expect(atOf(page)).toBe(null)
    })

    it('shows the rows of a link, says which request came next, and opens it', async () => {
      const { page } = await world.open(`${ROOMS}?at=${requests[2]}`, { isFresh: true })
      await cell(page, 'Second name').waitFor()
      await band(page).getByText('1 later change left out').waitFor()
      expect(await band(page).innerText()).toMatch(/^As of .*, just before request/)
      await loaded(page)
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot('past-tables')
      await world.look({ width: 900 })
      await world.shoot('past-tables-narrow')
      await page.reload()
      await cell(page, 'Second name').waitFor()
      await band(page).getByRole('link').click()
      await page.waitForURL((url) => url.pathname.endsWith(requests[2] ?? ''))
    })

    it('keeps the instant in another table, and edits no rows', async () => {
      const { page } = await world.open(`${ROOMS}?at=${requests[2]}`)
      await cell(page, 'Second name').click()
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: 'Row of rooms' }).waitFor()
      expect(await page.getByRole('gridcell').getByRole('textbox').count()).toBe(0)
      const insert = page.getByRole('button', { name: 'Insert row' })
      expect(await insert.isDisabled()).toBe(true)
      expect(await insert.getAttribute('title')).toBe('Go back to now to insert a row')
      await page.getByRole('navigation', { name: 'Tables' }).getByText('patients').click()
      await page.getByRole('grid', { name: 'Rows of patients' }).waitFor()
      expect(atOf(page)).toBe(requests[2])
      await page.getByRole('button', { name: 'Back to now' }).click()
      await band(page).waitFor({ state: 'detached' })
      expect(await page.getByRole('button', { name: 'Insert row' }).isDisabled()).toBe(false)
    })

    it('filters, sorts and reads as an identity', async () => {
      const as = encodeURIComponent(`user:${RECEPTION}`)
      const { page } = await world.open(
        `${ROOMS}?at=${requests[1]}&where=${encodeURIComponent('["name.like.First%"]')}&as=${as}`,
      )
      await cell(page, 'First name').waitFor()
      expect(await page.getByRole('row').count()).toBe(2)
      expect(await page.getByRole('switch', { name: 'Hidden rows' }).isDisabled()).toBe(true)
      await page.getByText('Rows that the policies hide are left out.').waitFor()
      await page.getByRole('columnheader', { name: /^floor/ }).click()
      await page.waitForURL(/sort=/)
      await cell(page, 'First name').waitFor()
      await cell(page, 'First name').click()
      await page.keyboard.press('Enter')
      await page.getByRole('tab', { name: 'Why' }).click()
      await page.getByText('Only present rows are explained').waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
    })

    it('says what is not known after the structure changed', async () => {
      await aurora.execute(
        `create table moves (id integer primary key, word text); insert into moves values (1, 'old')`,
      )
      const request = idOf(
        await aurora.patch('/moves?id=eq.1', aurora.serviceRoleKey, { word: 'x' }),
      )
      await aurora.execute('alter table moves drop column word')
      const { page } = await world.open(`/t/aurora/tables/moves?at=${request}`, { isFresh: true })
      const gaps = page.getByRole('list', { name: 'Gaps' })
      await gaps.getByText('The column moves.word was dropped or renamed').waitFor()
      await world.shoot('past-gaps')
    })

    it('says that an instant is unknown, and goes back', async () => {
      world.allow(/400/)
      const { page } = await world.open(`${ROOMS}?at=req_unknown`)
      await page.getByText('There is no request req_unknown.').waitFor()
      await page.getByRole('button', { name: 'Back to now' }).click()
      await cell(page, 'Third name').waitFor()
    })

    it('names the last writer of each column of a row', async () => {
      const patient = '/patients?id=eq.2'
      const changed = idOf(await aurora.patch(patient, reception, { phone: '+55 1' }))
      await aurora.patch(patient, aurora.serviceRoleKey, { tags: '{vip}' })
      await aurora.execute(`alter table patients add column color text not null default 'white'`)
      const { page } = await world.open('/t/aurora/tables/patients?row=id%3A2', { isFresh: true })
      const sheet = page.getByRole('complementary', { name: 'Row of patients' })
      const open = (column: string) =>
        sheet.getByRole('link', { name: `Open request that wrote ${column}` })
      await open('phone').waitFor()
      const texts = await sheet.locator('dd').allInnerTexts()
      expect(texts.some((text) => text.includes(`Changed by ${RECEPTION}`))).toBe(true)
      expect(texts.some((text) => text.includes('Changed by service_role'))).toBe(true)
      expect(texts.some((text) => text.includes('Created by'))).toBe(true)
      expect(texts.some((text) => text.includes('Set by a change of the structure'))).toBe(true)
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot('last-writers')
      await open('phone').click()
      await page.waitForURL((url) => url.pathname.endsWith(changed))
    })
  },
  { history: true },
)
