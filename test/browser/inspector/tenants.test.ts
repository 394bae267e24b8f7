// Groups and tenants in a browser: provision, keys, regenerate, publish, compare, simulated responses, settings, remove, purge.
import { expect, it } from 'vitest'
import { demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'

describeInspector('the groups and tenants screen', (world) => {
  it('lists tenants with their quotas', async () => {
    const { page } = await world.open('/tenants')
    await page
      .getByRole('row', { name: /aurora.*customer-1001.*active.*v1.*0 ran.*no differences/ })
      .waitFor()
    await page.getByRole('meter', { name: 'Tenants' }).waitFor()
    await world.shoot('tenants')
    await page.getByRole('row', { name: /boavista/ }).click()
    await page.getByRole('complementary', { name: 'Project' }).getByText('Last request').waitFor()
    await world.shoot('tenants-sheet')
  })

  it('sorts by a click on a header, and keeps the order in the address', async () => {
    const { page } = await world.open('/tenants')
    const list = page.getByRole('grid', { name: 'Tenants' })
    const users = list.getByRole('columnheader', { name: 'Users' })
    await users.getByRole('button').click()
    await list.locator('[data-row]').first().getByText('boavista').waitFor()
    await users.getByRole('button').click()
    await list.locator('[data-row]').first().getByText('aurora').waitFor()
    expect(await users.getAttribute('aria-sort')).toBe('descending')
    expect(new URL(page.url()).search).toBe('?sort=users&order=desc')
  })

  it.each(['/tenants', '/fleet', '/requests', '/t/aurora/users', '/faults?view=catalogue'])(
    'does not scroll sideways in a window of 800 px: %s',
    async (path) => {
      const { page } = await world.open(path, { width: 800 })
      const grid = page.getByRole('grid').first()
      await grid.locator('[data-row]').first().or(grid.getByText('No requests')).waitFor()
      const sizes = await grid.evaluate(({ clientWidth, scrollWidth }) => ({
        clientWidth,
        scrollWidth,
      }))
      expect(sizes.scrollWidth).toBe(sizes.clientWidth)
    },
  )

  it('provisions a tenant, shows the duration, and opens the tenant', async () => {
    const { page } = await world.open('/tenants')
    await page.getByRole('button', { name: 'Provision tenant' }).click()
    const sheet = page.getByRole('complementary', { name: 'New tenant' })
    await sheet.getByLabel('Slug').fill('Not A Slug')
    await sheet.getByText('for example not_a_slug').waitFor()
    await sheet.getByLabel('Slug').fill('aurora')
    await sheet.getByText('aurora is taken').waitFor()
    expect(await sheet.getByRole('button', { name: 'Provision' }).isDisabled()).toBe(true)
    await sheet.getByLabel('Slug').fill('serra')
    await sheet.getByLabel('External ID').fill('customer-1003')
    await sheet.getByLabel('Metadata, as JSON').fill('{"city": "Gramado"}')
    await sheet.getByRole('button', { name: 'Provision' }).click()
    const made = sheet.getByRole('status')
    await made.getByText(/serra created in \d/).waitFor()
    await page.getByRole('row', { name: /serra.*customer-1003/ }).waitFor()
    await world.shoot('tenants-provisioned')
    await made.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('complementary', { name: 'Project' }).getByText('proj_serra').waitFor()
  })

  it('mints and revokes a Group API Key', async () => {
    const { page } = await world.open('/tenants')
    await page.getByRole('button', { name: /Group API Keys/ }).click()
    const sheet = page.getByRole('complementary', { name: 'Group API Keys' })
    await sheet.getByLabel('Label').fill('staging')
    await sheet.getByRole('button', { name: 'Mint key' }).click()
    const key = await sheet.locator('[data-new-key]').innerText()
    await world.shoot('tenants-keys')
    const [group] = (await world.at.call('GET', '/_emulator/v1/info')).body.groups
    const list = () => world.at.call('GET', `/groups/v1/${group.id}/tenants`, { credential: key })
    expect((await list()).status).toBe(200)
    await sheet.getByRole('button', { name: 'Copy', exact: true }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
    const own = sheet.getByRole('listitem').filter({ hasText: await prefixOf(group.id, key) })
    await own.getByRole('button', { name: 'Revoke' }).click()
    await own.waitFor({ state: 'detached' })
    expect((await list()).status).toBe(401)
  })

  it('regenerates the keys of a tenant', async () => {
    const before = await demoTenant(world.at, 'boavista')
    const { page } = await world.open('/tenants?project=boavista')
    await page.getByText('generation 1').waitFor()
    await page.getByRole('button', { name: 'Tenant actions' }).click()
    await page.getByRole('menuitem', { name: 'Regenerate keys…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Regenerate' }).click()
    await page.getByText('generation 2').waitFor()
    expect((await before.get('/treatments', before.serviceRoleKey)).status).toBe(401)
  })

  it('publishes a template version, and then shows that tenants are on an older version', async () => {
    const { page } = await world.open('/tenants')
    await page.getByRole('button', { name: 'Publish template' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('row', { name: /aurora.*v1.*of v2/ }).waitFor()
    await page.getByRole('button', { name: /Newest version.*v2/ }).waitFor()
    await world.shoot('tenants-behind')
  })

  it('compares the structure of two tenants', async () => {
    const aurora = await demoTenant(world.at, 'aurora')
    await aurora.execute('create table only_in_aurora (id int primary key)')
    const { page } = await world.open('/tenants?project=boavista&part=structure')
    await page.getByLabel('Compare with', { exact: true }).click()
    await page.getByRole('option', { name: /aurora/ }).click()
    const list = page.getByRole('list', { name: 'Differences' })
    await list.getByText('only_in_aurora').first().waitFor()
    await world.shoot('tenants-compare')
    expect(new URL(page.url()).searchParams.get('with')).toBe('aurora')
  })

  it('shows no actions for an unknown project', async () => {
    const { page } = await world.open('/tenants?project=nobody')
    const sheet = page.getByRole('complementary', { name: 'Project' })
    await sheet.getByText('This project does not exist').waitFor()
    expect(await sheet.getByRole('link').count()).toBe(0)
    expect(await sheet.getByText('template').count()).toBe(0)
  })

  it('forwards to the project’s simulated responses, and switches one on and off', async () => {
    const { page } = await world.open('/tenants?project=aurora&part=switches')
    await page.waitForURL(/\/faults\?view=simulated/)
    const toggle = page.getByRole('switch', { name: 'storage_over_quota' })
    await toggle.click()
    await expect
      .poll(
        async () => (await world.at.call('GET', '/_emulator/v1/projects/aurora/switches')).body.on,
      )
      .toEqual(['storage_over_quota'])
    await world.shoot('faults-simulated')
    await toggle.click()
    await expect
      .poll(
        async () => (await world.at.call('GET', '/_emulator/v1/projects/aurora/switches')).body.on,
      )
      .toEqual([])
  })

  it('switches a simulated response of provisioning on for the template of the tenant', async () => {
    const page = await world.open('/faults?view=simulated').then((opened) => opened.page)
    const list = page.getByRole('list', { name: 'Simulated responses of clinics' })
    const toggle = list.getByRole('switch', { name: 'provision_fails' })
    const [group] = (await world.at.call('GET', '/_emulator/v1/info')).body.groups
    const provision = () =>
      world.at.call('POST', `/groups/v1/${group.id}/tenants`, {
        credential: group.group_api_key,
        body: { slug: 'not_provisioned' },
      })
    await toggle.click()
    await expect.poll(async () => (await provision()).status).toBe(500)
    await toggle.click()
    await page.getByRole('switch', { name: 'provision_fails', checked: false }).waitFor()
  })

  it('changes a sign-in setting and resets it to the template', async () => {
    const settings = async () =>
      (await world.at.call('GET', '/_emulator/v1/projects/aurora/auth-settings')).body
    const { page } = await world.open('/tenants?project=aurora&part=auth')
    await page.getByRole('switch', { name: 'Confirm e-mail' }).click()
    await expect.poll(async () => (await settings()).own).toEqual(['confirm_email'])
    await world.shoot('tenants-auth')
    await page.getByRole('button', { name: 'Reset Confirm e-mail to the template' }).click()
    await expect.poll(async () => (await settings()).own).toEqual([])
  })

  it('removes a tenant, and purges the tenant after its slug is typed', async () => {
    const [group] = (await world.at.call('GET', '/_emulator/v1/info')).body.groups
    await world.at.call('POST', `/groups/v1/${group.id}/tenants`, {
      credential: group.group_api_key,
      body: { slug: 'short_lived' },
    })
    const { page } = await world.open('/tenants?project=short_lived')
    const row = page.getByRole('row', { name: /short_lived/ })
    await row.waitFor()
    await page.getByRole('button', { name: 'Tenant actions' }).click()
    await page.getByRole('menuitem', { name: 'Remove tenant…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await row.getByText('deleted').waitFor()
    await row.click()
    await page.getByRole('button', { name: 'Tenant actions' }).click()
    await page.getByRole('menuitem', { name: 'Purge tenant…' }).click()
    await page.getByLabel('Type short_lived to confirm').fill('short_lived')
    await page.getByRole('dialog').getByRole('button', { name: 'Purge' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByText('short_lived purged').waitFor()
    const again = await world.at.call(
      'DELETE',
      `/groups/v1/${group.id}/tenants/short_lived/purge?confirm=short_lived`,
      { credential: group.group_api_key },
    )
    expect(again.status).toBe(404)
  })

  it('says on an open screen that its tenant was removed, and links to the removed tenant', async () => {
    const [group] = (await world.at.call('GET', '/_emulator/v1/info')).body.groups
    const tenants = `/groups/v1/${group.id}/tenants`
    const credential = group.group_api_key
    await world.at.call('POST', tenants, { credential, body: { slug: 'leaving' } })
    const { page } = await world.open('/t/leaving/sql')
    await page.locator('.cm-content').waitFor()
    await world.at.call('DELETE', `${tenants}/leaving`, { credential })
    await page.getByText('“leaving” was removed').waitFor()
    await page.getByRole('link', { name: 'Show the removed tenant' }).click()
    const sheet = page.getByRole('complementary', { name: 'Project' })
    await sheet.getByText('This tenant is offline').waitFor()
    await world.at.call('DELETE', `${tenants}/leaving/purge?confirm=leaving`, { credential })
  })

  it('purges a tenant only when its slug is typed', async () => {
    const [group] = (await world.at.call('GET', '/_emulator/v1/info')).body.groups
    await world.at.call('POST', `/groups/v1/${group.id}/tenants`, {
      credential: group.group_api_key,
      body: { slug: 'to_purge' },
    })
    const { page } = await world.open('/tenants?project=to_purge')
    await page.getByRole('button', { name: 'Tenant actions' }).click()
    await page.getByRole('menuitem', { name: 'Purge tenant…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Purge to_purge' })
    expect(await dialog.getByRole('button', { name: 'Purge' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Type to_purge to confirm').fill('to_purge')
    await dialog.getByRole('button', { name: 'Purge' }).click()
    await page.getByRole('row', { name: /to_purge/ }).waitFor({ state: 'detached' })
    await page.getByText('to_purge purged').waitFor()
  })

  it('moves the group to another plan', async () => {
    const { page } = await world.open('/tenants')
    await page.getByLabel('Plan', { exact: true }).first().click()
    await page.getByRole('option', { name: 'scale' }).click()
    await expect
      .poll(
        async () => (await world.at.call('GET', '/_emulator/v1/overview')).body.groups[0].plan_tier,
      )
      .toBe('scale')
  })

  async function prefixOf(groupId: string, key: string): Promise<string> {
    const { body } = await world.at.call('GET', '/_emulator/v1/overview')
    const group = body.groups.find((one: { id: string }) => one.id === groupId)
    return group.keys.find(({ prefix }: { prefix: string }) => key.startsWith(prefix)).prefix
  }
})
