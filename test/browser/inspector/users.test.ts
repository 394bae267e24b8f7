// The users screen in a browser: create, act as, ban, sign out and delete a user. Hostile names show as text.
import { beforeAll, expect, it } from 'vitest'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'
import type { Answer, Json } from '../../support/test-emulator.ts'

const USERS = '/t/aurora/users'

describeInspector('the users screen', (world) => {
  let aurora: DemoTenant

  beforeAll(async () => {
    aurora = await demoTenant(world.at, 'aurora')
  })

  it('creates a user, who then signs in', async () => {
    const { page } = await world.open(USERS)
    await page.getByRole('row', { name: /ana@patients/ }).waitFor()
    await page.getByRole('button', { name: 'Create user' }).click()
    const form = page.getByRole('form', { name: 'New user' })
    await form.getByLabel('E-mail').fill('nina@patients.test')
    await form.getByLabel('Password').fill('nina-secret-1')
    await form.getByLabel('Metadata, as JSON').fill('{"full_name": "Nina Prado"}')
    await world.shoot('users-new')
    await form.getByRole('button', { name: 'Create user' }).click()
    const sheet = page.getByRole('complementary', { name: 'User', exact: true })
    await sheet.getByRole('heading', { name: 'nina@patients.test' }).waitFor()
    await page.getByRole('row', { name: /nina@patients.*Nina Prado.*confirmed/ }).waitFor()
    expect((await signIn('nina@patients.test', 'nina-secret-1')).status).toBe(200)
  })

  it('sorts by a column, and keeps the order in the address', async () => {
    const { page } = await world.open(USERS)
    const names = page.getByRole('grid', { name: 'Users' }).getByText(/@/)
    await page.getByRole('columnheader', { name: 'User' }).getByRole('button').click()
    await page.waitForURL(/sort=address/)
    await page.getByRole('columnheader', { name: 'User' }).getByRole('button').click()
    await page.waitForURL(/order=desc/)
    await expect
      .poll(() => names.allTextContents())
      .toSatisfy((shown: readonly string[]) => {
        return shown.length > 2 && shown.join() === shown.toSorted().toReversed().join()
      })
  })

  it('signs in as a user with one click, without a password', async () => {
    const { page } = await world.open(`${USERS}?q=ana`)
    await page.getByRole('row', { name: /ana@patients/ }).click()
    const sheet = page.getByRole('complementary', { name: 'User', exact: true })
    await sheet.getByRole('button', { name: 'Sign in as this user' }).click()
    await sheet.getByRole('button', { name: 'Copy token' }).click()
    const token = await page.evaluate(() => navigator.clipboard.readText())
    const own = await aurora.get('/appointments?select=id', token)
    expect(own.status).toBe(200)
    const all = await aurora.get('/appointments?select=id', aurora.serviceRoleKey)
    expect(own.body.length).toBeLessThan(all.body.length)
  })

  it('bans a user and lifts the ban', async () => {
    const { page } = await world.open(`${USERS}?q=costa`)
    const row = page.getByRole('row', { name: /costa@aurora/ })
    await row.click()
    await page.getByRole('button', { name: 'User actions' }).click()
    await page.getByRole('menuitem', { name: 'Ban for 1 day' }).click()
    await row.getByText('banned').waitFor()
    expect((await signIn('costa@aurora.test', 'aurora-costa')).status).toBe(403)
    await page.getByRole('button', { name: 'User actions' }).click()
    await page.getByRole('menuitem', { name: 'Lift ban' }).click()
    await row.getByText('confirmed').waitFor()
    expect((await signIn('costa@aurora.test', 'aurora-costa')).status).toBe(200)
  })

  it('ends one session of a user', async () => {
    const session = (await signIn('silva@aurora.test', 'aurora-silva')).body
    await signIn('silva@aurora.test', 'aurora-silva')
    const { page } = await world.open(`${USERS}?q=silva`)
    await page.getByRole('row', { name: /silva@aurora/ }).click()
    await page.getByRole('tab', { name: /Sessions/ }).click()
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    await sessions.nth(1).getByRole('button', { name: 'End session' }).click()
    await sessions.nth(1).getByText('ended', { exact: true }).waitFor()
    await world.shoot('users-sessions')
    expect(await sessions.first().getByText('active').count()).toBe(1)
    const renewed = await world.at.call('POST', '/auth/v1/token/refresh', {
      headers: { apikey: aurora.anonKey },
      body: { refresh_token: session.refresh_token },
    })
    expect(renewed.status).toBe(401)
  })

  it('shows the latest code of a user when it is sent', async () => {
    const { page } = await world.open(`${USERS}?q=reception&part=messages`)
    await page.getByRole('row', { name: /reception@aurora/ }).click()
    await page.getByRole('tab', { name: 'Codes and links' }).click()
    await page.getByText('No messages to this user').waitFor()
    await world.at.call('POST', '/auth/v1/otp/send', {
      headers: { apikey: aurora.anonKey },
      body: { email: 'reception@aurora.test', channel: 'email' },
    })
    const list = page.getByRole('list', { name: 'Last messages' })
    expect(await list.locator('[data-code]').innerText()).toMatch(/^\d{6}$/)
    await world.shoot('users-codes')
  })

  it('deletes a user after the e-mail address is typed', async () => {
    await world.at.call('POST', '/_emulator/v1/projects/aurora/users', {
      body: { email: 'gone@patients.test' },
    })
    const { page } = await world.open(`${USERS}?q=gone`)
    await page.getByRole('row', { name: /gone@patients/ }).click()
    await page.getByRole('button', { name: 'User actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete user…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete user' })
    expect(await dialog.getByRole('button', { name: 'Delete user' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type gone@patients.test to confirm').fill('gone@patients.test')
    await dialog.getByRole('button', { name: 'Delete user' }).click()
    await page.getByText('No user’s address contains “gone”').waitFor()
  })

  it('runs no script of a hostile user', async () => {
    const attack = '<img src=x onerror="window.owned = 1">'
    await world.at.call('POST', '/_emulator/v1/projects/aurora/users', {
      body: { email: 'evil@patients.test', user_metadata: { full_name: attack, name: [attack] } },
    })
    const { page } = await world.open(USERS)
    await page.getByRole('row', { name: /evil@patients/ }).click()
    const sheet = page.getByRole('complementary', { name: 'User', exact: true })
    await sheet.getByText(attack, { exact: true }).waitFor()
    await world.shoot('users')
    expect(await page.evaluate(() => 'owned' in globalThis)).toBe(false)
    expect(await page.locator('img[src="x"]').count()).toBe(0)
  })

  it('explains why a user cannot be created', async () => {
    const { page } = await world.open(`${USERS}?user=new`)
    const form = page.getByRole('form', { name: 'New user' })
    await form.getByLabel('E-mail').fill('ana@patients.test')
    await form.getByRole('button', { name: 'Create user' }).click()
    await form
      .getByRole('alert')
      .getByText(/already/)
      .waitFor()
    await form.getByLabel('Metadata, as JSON').fill('[1]')
    await form.getByText('Enter a JSON object').waitFor()
    world.allow(/409/)
  })

  function signIn(email: string, password: string): Promise<Answer<Json>> {
    return world.at.call('POST', '/auth/v1/signin', {
      headers: { apikey: aurora.anonKey },
      body: { email, password },
    })
  }
})
