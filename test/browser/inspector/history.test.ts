// The history of rows in a browser: what a request changed, its undo, and the life of a row.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector, describeOwnInspector } from '../../support/describe-inspector.ts'
import { loaded } from '../../support/inspector-page.ts'

const RECEPTION = 'reception@aurora.test'
const requestSheet = (page: Page) => page.getByRole('complementary', { name: 'Request' })
const idOf = (answer: { readonly headers: Headers }) => answer.headers.get('x-request-id') ?? ''

describeOwnInspector(
  'the history of rows',
  (world) => {
    let aurora: DemoTenant
    beforeAll(async () => {
      aurora = await demoTenant(world.at, 'aurora')
    })

    async function phoneOf(id: number): Promise<string> {
      const { body } = await aurora.get(`/patients?id=eq.${id}&select=phone`, aurora.serviceRoleKey)
      return body[0].phone
    }

    it('shows what a request changed, and undoes it', async () => {
      const before = await phoneOf(1)
      const path = '/patients?id=in.(1,2,3)'
      const done = await aurora.patch(path, aurora.serviceRoleKey, {
        phone: 'unknown',
        tags: '{vip,"two words"}',
      })
      const { page } = await world.open(`/requests/${idOf(done)}`)
      const sheet = requestSheet(page)
      const changes = sheet.getByRole('list', { name: 'Changed rows' })
      await changes.getByText('patients 1').waitFor()
      expect(await changes.getByRole('listitem').count()).toBe(3)
      expect(await changes.getByRole('listitem').first().innerText()).toContain('unknown')
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot('history-request')

      await sheet.getByRole('button', { name: 'Undo…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Undo request' })
      const preview = dialog.getByRole('list', { name: 'Rows that will change' })
      await preview.getByText(before).waitFor()
      await world.shoot('history-undo')
      await dialog.getByRole('button', { name: 'Undo 3 changes' }).click()
      await dialog.getByText('3 changes undone.').waitFor()
      expect(await phoneOf(1)).toBe(before)
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot('history-undone')
      await page.keyboard.press('Enter')
      await dialog.waitFor({ state: 'detached' })
      const focused = page.locator(':focus')
      await focused.filter({ hasText: 'Undo…' }).waitFor()
    })

    it('says why a request was empty then, and which request changed that since', async () => {
      const costa = await aurora.mint({ kind: 'data_plane_token', user: 'costa@aurora.test' })
      const { body: doctors } = await aurora.get(
        '/staff?name=like.Dr.*&order=name&select=id',
        aurora.serviceRoleKey,
      )
      const [{ id: ofCosta }, { id: ofSilva }] = doctors
      await aurora.patch('/appointments?id=eq.1', aurora.serviceRoleKey, { doctor_id: ofSilva })
      const empty = await aurora.get('/appointments?id=eq.1', costa)
      expect(empty.body).toEqual([])
      const changed = await aurora.patch('/appointments?id=eq.1', aurora.serviceRoleKey, {
        doctor_id: ofCosta,
      })
      const { page } = await world.open(`/requests/${idOf(empty)}`)
      const sheet = requestSheet(page)
      await sheet
        .getByText('Explained with the policies and rows just before the request.')
        .waitFor()
      await sheet
        .getByRole('list', { name: 'Changed since' })
        .getByText(`doctor_id ${ofSilva} until request`)
        .waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot('history-why-then')
      await sheet.getByRole('link', { name: 'Open request' }).click()
      await page.waitForURL((url) => url.pathname.endsWith(idOf(changed)))
    })

    it('shows booleans as words, and counts only the changes that an undo takes back', async () => {
      await aurora.execute('alter table rooms add column is_open boolean not null default false')
      const done = await world.at.call('PATCH', '/rooms?id=in.(3,4)', {
        credential: aurora.serviceRoleKey,
        headers: { apikey: aurora.anonKey, 'content-profile': aurora.schemaName },
        body: { is_open: false },
      })
      const mixed = await aurora.patch('/rooms?id=eq.3', aurora.serviceRoleKey, { is_open: true })
      const { page } = await world.open(`/requests/${idOf(mixed)}`)
      const row = requestSheet(page).getByRole('list', { name: 'Changed rows' })
      await row.getByText('true').waitFor()
      expect(await row.innerText()).toMatch(/is_open\s+false\s+→\s+(to\s+)?true/)

      await page.goto(`${world.url}/requests/${idOf(done)}`)
      await requestSheet(page).getByRole('button', { name: 'Undo…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Undo request' })
      await dialog.getByText('The changes cancel each other out').waitFor()
      await dialog.getByRole('button', { name: 'Undo request' }).click()
      await dialog.getByText('There was nothing to undo.').waitFor()
    })

    it('names the later request that prevents an undo', async () => {
      const first = await aurora.patch('/rooms?id=eq.1', aurora.serviceRoleKey, { floor: 7 })
      const later = await aurora.patch('/rooms?id=eq.1', aurora.serviceRoleKey, { floor: 8 })
      const { page } = await world.open(`/requests/${idOf(first)}`)
      await requestSheet(page).getByRole('button', { name: 'Undo…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Undo request' })
      await dialog.getByText('A later change concerns the same row of rooms.').waitFor()
      expect(await dialog.getByRole('button', { name: 'Undo 1 change' }).isDisabled()).toBe(true)
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot('history-conflict')
      await dialog.getByRole('link', { name: 'Open request' }).click()
      await page.waitForURL((url) => url.pathname.endsWith(idOf(later)))
      await dialog.waitFor({ state: 'detached' })
      await requestSheet(page).getByText('rooms 1').waitFor()
    })

    it('shows the first 20 of many changes, and all of them on demand', async () => {
      const created = await world.at.call('POST', '/rooms', {
        credential: aurora.serviceRoleKey,
        headers: { apikey: aurora.anonKey, 'content-profile': aurora.schemaName },
        body: Array.from({ length: 30 }, (_, place) => ({ name: `Room ${place}`, floor: 9 })),
      })
      const { page } = await world.open(`/requests/${idOf(created)}`)
      const changes = requestSheet(page).getByRole('list', { name: 'Changed rows' })
      await changes.getByText('Room 19').waitFor()
      expect(await changes.getByRole('listitem').count()).toBe(20)
      await requestSheet(page).getByRole('button', { name: 'Show all 30 changes' }).click()
      await changes.getByText('Room 29').waitFor()
    })

    it('links the requests that made the differences from a snapshot', async () => {
      const body = { name: 'earlier' }
      await world.at.call('POST', '/_emulator/v1/snapshots', { body })
      const done = await aurora.patch('/rooms?id=eq.2', aurora.serviceRoleKey, { floor: 5 })
      await aurora.execute("create table words (word text); insert into words values ('a')")
      const { page } = await world.open('/snapshots?open=earlier')
      const makers = page.getByRole('list', { name: 'Rows of rooms' }).getByRole('list', {
        name: 'Changed by',
      })
      await page.getByText('Rows of words have no primary key').waitFor()
      await loaded(page)
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot('history-compare')
      await makers.getByRole('link', { name: 'PATCH /rooms?id=eq.2' }).click()
      await requestSheet(page).waitFor()
      expect(page.url()).toContain(idOf(done))
    })

    it('shows who created and changed a row, and opens the request', async () => {
      const reception = await aurora.mint({ kind: 'data_plane_token', user: RECEPTION })
      const changed = await aurora.patch('/patients?id=eq.2', reception, { phone: '+55 1' })
      expect(changed.status).toBe(204)
      const notes = { seen: true, notes: 'Came by bus.\n'.repeat(80) }
      await aurora.execute(
        `alter table patients add column if not exists record jsonb;
         update patients set record = '${JSON.stringify(notes).replaceAll("'", "''")}' where id = 2`,
      )
      const { page } = await world.open('/t/aurora/tables/patients?row=id%3A2')
      const sheet = page.getByRole('complementary', { name: 'Row of patients' })
      await sheet.getByRole('tab', { name: 'History' }).click()
      const life = sheet.getByRole('list', { name: 'Changes' }).getByRole('listitem')
      await life.filter({ hasText: `Changed by ${RECEPTION}` }).waitFor()
      expect(await life.last().innerText()).toContain('Created by owner')
      expect(new URL(page.url()).searchParams.get('show')).toBe('history')
      await loaded(page)
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot('history-row')

      await aurora.patch('/patients?id=eq.2', aurora.serviceRoleKey, { phone: null })
      await life.filter({ hasText: 'Changed by service_role' }).getByText('null').waitFor()
      await life
        .filter({ hasText: `Changed by ${RECEPTION}` })
        .getByRole('link', { name: 'Open request' })
        .click()
      await page.waitForURL((url) => url.pathname.endsWith(idOf(changed)))
      await requestSheet(page).getByText('patients 2').waitFor()
    })

    it('says that a request is not in the journal', async () => {
      const { page } = await world.open('/requests/req_of_the_inspector')
      await page.getByText('Request not in the journal').waitFor()
      world.allow(/404/)
    })

    it('runs SQL on the rows before a request', async () => {
      const renamed = await aurora.patch('/rooms?id=eq.2', aurora.serviceRoleKey, { name: 'Now' })
      const { page } = await world.open(`/requests/${idOf(renamed)}`)
      await requestSheet(page).getByRole('link', { name: 'Query earlier rows' }).click()
      await page.locator('.cm-content').click()
      await page.keyboard.insertText('select name from rooms where id = 2')
      expect(await page.getByLabel('As of').inputValue()).toBe(idOf(renamed))
      expect(await page.getByRole('button', { name: 'Explain' }).isDisabled()).toBe(true)
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByText('The results show earlier rows: 1 change taken back.').waitFor()
      await page.getByRole('gridcell', { name: 'Green room' }).waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot('history-sql')
      await page.getByLabel('As of').fill('')
      await page.getByRole('button', { name: 'Run', exact: true }).click()
      await page.getByRole('gridcell', { name: 'Now' }).waitFor()
      expect(await page.getByText('taken back').count()).toBe(0)
    })

    it('shows the life of a deleted row', async () => {
      await aurora.execute(
        `insert into rooms (id, name, floor) overriding system value values (900, 'Attic', 3)`,
      )
      await aurora.execute('delete from rooms where id = 900')
      const { page } = await world.open('/t/aurora/tables/rooms?row=id%3A900&show=history')
      const life = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')
      await life.filter({ hasText: 'Deleted by owner' }).getByText('Attic').waitFor()
      await life.filter({ hasText: 'Created by owner' }).getByText('Attic').waitFor()
    })
  },
  { history: true },
)

describeInspector('the history of rows without records', (world) => {
  it('says that the emulator does not record changes', async () => {
    const aurora = await demoTenant(world.at, 'aurora')
    const done = await aurora.patch('/rooms?id=eq.1', aurora.serviceRoleKey, { floor: 4 })
    const { page } = await world.open(`/requests/${idOf(done)}`)
    await requestSheet(page).getByText('This emulator does not record row changes.').waitFor()
    expect(await requestSheet(page).getByRole('button', { name: 'Undo…' }).count()).toBe(0)
    await page.goto(`${world.url}/t/aurora/tables/rooms?row=id%3A1&show=history`)
    await page.getByText('History is off').waitFor()
  })
})
