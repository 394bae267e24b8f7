// The fleet screen in a browser with 25 tenants, five of them altered by hand: filter, sort, rehearse, apply, drift, publish.
import type { Page } from 'playwright-core'
import { beforeAll, expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { describeOwnInspector, type OpenOptions } from '../../support/describe-inspector.ts'
import { ask } from '../../support/fixture-folder.ts'
import { BEHIND, createFleet, DRIFTED, NOTES, STARS, TAGS, TENANTS } from '../../support/fleet.ts'
import { openScreen } from '../../support/inspector-page.ts'
import type { Json, TestGroup } from '../../support/test-emulator.ts'

/** A step that lets all identities see all notes. */
const EVERYONE = {
  file: '20260104000000_everyone.sql',
  sql: 'create policy everyone on notes for select using (true);\n',
}

describeOwnInspector('the fleet screen', (world) => {
  let group: TestGroup
  beforeAll(async () => {
    group = await createFleet(world.at)
  })

  async function open(search = '', options: OpenOptions = {}): Promise<Page> {
    const { page } = await world.open(`/fleet?group=${group.id}${search}`, options)
    await page.locator('[role=grid] [data-row]').first().waitFor()
    await page.getByText(/^Reading /).waitFor({ state: 'detached', timeout: 60_000 })
    return page
  }
  const rowCount = async (page: Page) =>
    Number(await page.getByRole('grid', { name: 'Fleet' }).getAttribute('aria-rowcount')) - 1
  const firstTenant = (page: Page) =>
    page.locator('[role=grid] [data-row]').first().getAttribute('data-row')

  it('shows the version and the steps of each tenant, in wide and narrow windows', async () => {
    const page = await open()
    expect(await rowCount(page)).toBe(TENANTS)
    for (const width of [1_440, 800]) {
      await world.look({ theme: width === 800 ? 'light' : 'dark', width })
      await page.getByRole('columnheader', { name: 'notes (v2)' }).waitFor()
      await page.getByRole('columnheader', { name: 'tags (v3)' }).waitFor()
      await page
        .getByRole('button', {
          name: `differences from own version ${DRIFTED.length}`,
          exact: true,
        })
        .waitFor()
      await page.getByRole('button', { name: `steps pending ${BEHIND}` }).waitFor()
      await page
        .getByRole('row', { name: /t00.*v2.*2 ran, 1 pending.*no differences.*applied/ })
        .waitFor()
      await world.shoot(`fleet-${width}`)
      await page.getByRole('row', { name: /t20/ }).click()
      await page.getByRole('list', { name: 'Differences' }).waitFor()
      await world.shoot(`fleet-drift-${width}`)
      expect(await accessibilityFindings(page)).toEqual([])
      await page.keyboard.press('Escape')
      await page.getByRole('list', { name: 'Differences' }).waitFor({ state: 'detached' })
    }
  })

  it('filters by state and text, sorts, keeps state and order in the address, and moves with the keyboard', async () => {
    const page = await open()
    await page.getByRole('button', { name: /^differences/ }).click()
    await expect.poll(() => rowCount(page)).toBe(DRIFTED.length)
    await page.getByRole('button', { name: 'Tenant', exact: true }).click()
    await page.getByRole('button', { name: 'Tenant', exact: true }).click()
    await expect.poll(() => firstTenant(page)).toBe('t23')
    await page.reload()
    await expect.poll(() => rowCount(page)).toBe(DRIFTED.length)
    expect(await firstTenant(page)).toBe('t23')
    await page.getByLabel('Search tenants').fill('t05')
    await expect.poll(() => rowCount(page)).toBe(1)
    await page.getByLabel('Search tenants').fill('nobody')
    await page.getByText('No tenant matches').waitFor()
    await page.getByLabel('Search tenants').fill('')
    await page.getByRole('grid', { name: 'Fleet' }).focus()
    for (const key of ['ArrowDown', 'Space', 'ArrowDown', 'Space']) await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Apply to 2 tenants…' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('complementary', { name: 'Tenant' }).waitFor({ state: 'detached' })
  })

  it('shows the drift of a tenant and the statements that remove the drift', async () => {
    const page = await open('&tenant=t21')
    const sheet = page.getByRole('complementary', { name: 'Tenant' })
    const differences = sheet.getByRole('list', { name: 'Differences' })
    await differences.getByText('notes.by_hand_2').waitFor()
    const closing = sheet.getByRole('figure', { name: 'statements that remove the drift' })
    await closing.getByText(/create policy/i).waitFor()
    await closing.getByText('drop column').first().waitFor()
    expect(await differences.getByText('missing', { exact: true }).count()).toBeGreaterThan(0)
    await sheet.getByText('Compared with the structure that the applied steps create.').waitFor()
    const step = sheet.getByRole('figure', { name: 'statements for the template shop' })
    await step.getByText('add column by_hand_2').waitFor()
    await sheet.getByText(`--from-changes --url ${world.at.url} --group shop`).waitFor()
    await closing.getByRole('link', { name: 'Open in SQL console' }).click()
    await page.locator('.cm-content').getByText('create policy').waitFor()
  })

  it('warns of lost values before it removes a tenant’s drift, and undoes the removal', async () => {
    await ask(
      world.at,
      'aurora',
      "alter table rooms add column note text; update rooms set note = 'quiet'",
    )
    const { page } = await world.open('/fleet?group=Clinics&tenant=aurora')
    const sheet = page.getByRole('complementary', { name: 'Tenant' })
    await sheet.getByRole('button', { name: 'Bring back…' }).click()
    const change = page.getByRole('dialog', { name: 'Change' })
    await change
      .getByText(/^aurora: loses the value of rooms.note in \d+ rows$/)
      .first()
      .waitFor()
    await world.shoot('fleet-bring-back')
    await change.getByRole('button', { name: /^Apply to aurora and lose \d+ values$/ }).click()
    await change.getByText('done', { exact: true }).waitFor()
    await change.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('row', { name: /aurora.*no differences/ }).waitFor()

    await openScreen(page, 'Snapshots')
    await page.getByRole('button', { name: /^before-bring_aurora_back/ }).click()
    const snapshot = page.getByRole('complementary', { name: 'Snapshot' })
    await snapshot.getByText('It takes back “Bring aurora back”.').waitFor()
    await world.shoot('snapshot-undo')
    await snapshot.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByText('The platform is as it was before the change.').first().waitFor()
    expect(await ask(world.at, 'aurora', 'select note from rooms limit 1')).toEqual([['quiet']])
  })

  it('shows what a tenant on an older version lacks, and offers to apply the pending steps', async () => {
    const page = await open('&tenant=t00')
    const sheet = page.getByRole('complementary', { name: 'Tenant' })
    await sheet.getByText('Differences from shop_v3').waitFor()
    await sheet.getByRole('list', { name: 'Differences' }).getByText('notes.tags').first().waitFor()
    await world.shoot('fleet-older-version')
    await sheet.getByRole('button', { name: 'Apply 1 step to t00…' }).click()
    const apply = page.getByRole('complementary', { name: 'Apply steps' })
    await apply.getByRole('button', { name: 'Apply to 1 tenant' }).waitFor()
    expect(await pending()).toBe(BEHIND)
  })

  it('rehearses steps on all filtered tenants, applies them, and shows which tenant fails', async () => {
    const page = await open('&q=t0')
    await page.getByRole('checkbox', { name: 'Select all rows' }).click()
    await page.getByRole('button', { name: 'Rehearse on 10 tenants…' }).click()
    const rehearsal = page.getByRole('complementary', { name: 'Rehearse steps' })
    await rehearsal.getByText('tags: 10 tenants').waitFor()
    await rehearsal.getByRole('button', { name: 'Rehearse on 10 tenants' }).click()
    await rehearsal.getByRole('article', { name: 't05 failed' }).waitFor({ timeout: 60_000 })
    await rehearsal.getByText(`${TAGS.file}:2`).waitFor()
    const rehearsed = rehearsal.getByRole('list', { name: 'Rehearsed' }).getByText('ok')
    await expect.poll(() => rehearsed.count(), { timeout: 10_000 }).toBe(10)
    await rehearsal.getByText('1 difference').click()
    await rehearsal.getByText('notes.tags').first().waitFor()
    await page.getByRole('row', { name: /t05.*would fail/ }).waitFor()
    await world.shoot('fleet-rehearse')
    expect(await pending()).toBe(BEHIND)

    await page.getByRole('button', { name: 'Apply to 10 tenants…' }).click()
    const sheet = page.getByRole('complementary', { name: 'Apply steps' })
    await sheet.getByRole('checkbox', { name: 't05' }).click()
    await sheet.getByRole('button', { name: 'Apply to 10 tenants' }).click()
    await sheet.getByText('9 tenants: A canary tenant failed.').waitFor({ timeout: 60_000 })
    expect(await pending()).toBe(BEHIND)
    await world.shoot('fleet-canary')

    await sheet.getByRole('checkbox', { name: 't05' }).click()
    await sheet.getByRole('checkbox', { name: 't01' }).click()
    await sheet.getByRole('combobox', { name: 'When a tenant fails' }).click()
    await page.getByRole('option', { name: 'continue with the next tenant' }).click()
    await sheet.getByRole('button', { name: 'Apply to 10 tenants' }).click()
    const refused = sheet.getByRole('article', { name: 't05 failed' })
    await refused.getByText('already exists').waitFor({ timeout: 60_000 })
    await refused.getByText('add column tags text[]').waitFor()
    const applied = sheet.getByRole('list', { name: 'Applied' })
    await expect.poll(() => applied.getByText('ok').count(), { timeout: 10_000 }).toBe(10)
    await applied.getByRole('listitem').nth(1).getByText('t01').waitFor()
    await page.getByRole('row', { name: /t00.*3 ran, none pending/ }).waitFor()
    await world.shoot('fleet-apply')
    expect(await accessibilityFindings(page)).toEqual([])
    expect(await pending()).toBe(1)
  })

  it('shows the template’s drift and what a publication would contain, and publishes the template', async () => {
    await ask(world.at, 'shop', 'create table reviews (id int primary key)')
    const page = await open()
    await page.getByRole('button', { name: /^Structure of shop: \d+ differences? from / }).click()
    const template = page.getByRole('complementary', { name: 'Template' })
    await template.getByRole('list', { name: 'Differences' }).getByText('reviews').first().waitFor()
    await world.shoot('fleet-template')
    await page.getByRole('button', { name: 'Publish template…' }).click()
    const sheet = page.getByRole('complementary', { name: 'Publish' })
    await sheet.getByRole('list', { name: 'Differences' }).getByText('reviews').first().waitFor()
    await world.shoot('fleet-publish')
    await sheet.getByRole('button', { name: 'Publish template' }).click()
    await page.getByText('shop_v4 published').waitFor()
    await page.getByRole('region', { name: 'Group shop' }).getByText('shop_v4').waitFor()
  })

  it('explains how to get steps when the screen has none', async () => {
    const { page } = await world.open('/fleet')
    await page.getByRole('button', { name: 'Get steps' }).click()
    await page
      .getByRole('dialog', { name: 'How to get steps' })
      .getByText(`tenantry migrate status --url ${world.at.url} --group Clinics`)
      .waitFor()
    await page.getByRole('row', { name: /aurora.*v1/ }).waitFor()
    expect(await page.getByRole('button', { name: /Apply to/ }).count()).toBe(0)
    await world.shoot('fleet-no-steps')
    expect(await accessibilityFindings(page)).toEqual([])
  })

  it('rehearses all tenants when none is selected, and shows gained rows again in Apply until the steps change', async () => {
    await ask(world.at, 't05', 'alter table notes drop column if exists tags')
    await ask(world.at, 't01', `insert into notes (id, title) values (1, 'one')`)
    const steps = [NOTES, STARS, TAGS, EVERYONE]
    const path = `/_emulator/v1/groups/${group.id}/migrations/status`
    await world.at.call('POST', path, { body: { steps } })
    const page = await open()
    await page.getByRole('button', { name: `Rehearse on all ${TENANTS} tenants…` }).click()
    const rehearsal = page.getByRole('complementary', { name: 'Rehearse steps' })
    await rehearsal.getByRole('button', { name: `Rehearse on all ${TENANTS} tenants` }).click()
    await rehearsal.getByText('rows gained or lost in 1 project').waitFor({ timeout: 60_000 })
    await world.shoot('fleet-rehearse-visibility')
    expect(await rehearsal.getByText('all ok').count()).toBe(0)
    await page.reload()
    await page.getByLabel('Search tenants').fill('t01')
    await page.getByRole('checkbox', { name: 'Select t01' }).click()
    await page.getByRole('button', { name: 'Apply to 1 tenant…' }).click()
    const repeated = page.getByRole('region', { name: 'Rows gained or lost' })
    await repeated.getByText('anon sees 1 more row').waitFor()
    await world.shoot('fleet-apply-visibility')
    expect(await accessibilityFindings(page)).toEqual([])
    const more = { file: '20260105000000_more.sql', sql: 'create table more (id int)' }
    await world.at.call('POST', path, { body: { steps: [...steps, more] } })
    await page.reload()
    await page.getByText('These steps were not rehearsed in all of these projects').waitFor()
    expect(await repeated.count()).toBe(0)
  })

  it('scrolls through 1,000 tenants', async () => {
    const { page } = await world.open(`/fleet?group=${group.id}`, {
      isFresh: true,
      before: (shown) =>
        shown.route(`**/_emulator/v1/groups/${group.id}/fleet`, async (route) => {
          const response = await route.fetch()
          await route.fulfill({ json: fortyfold((await response.json()) as Json) })
        }),
    })
    await expect.poll(() => rowCount(page)).toBe(1_000)
    expect(await page.locator('[role=grid] [data-row]').count()).toBeLessThan(100)
    await page.locator('[data-row=t00_0]').waitFor()
    await page.getByRole('grid', { name: 'Fleet' }).focus()
    await page.keyboard.press('End')
    await page.locator('[data-row=t24_39]').waitFor()
    // The keyboard opens tenants that exist only in the test's changed response, so the emulator returns 404.
    world.allow(/404/)
  })

  async function pending(): Promise<number> {
    const { body } = await world.at.call('GET', `/_emulator/v1/groups/${group.id}/fleet`)
    return body.tenants.filter(({ steps }: Json) => steps.includes('pending')).length
  }
})

/** Returns the fleet with forty copies of each tenant, because a group has at most 100 active tenants. */
function fortyfold(fleet: Json): Json {
  const copies = fleet.tenants.flatMap((tenant: Json) =>
    Array.from({ length: 40 }, (_, copy) => ({ ...tenant, slug: `${tenant.slug}_${copy}` })),
  )
  return { ...fleet, tenants: copies, unread: 0 }
}
