// The tokens screen in a browser: paste, choose, mint and revoke credentials.
import { beforeAll, expect, it } from 'vitest'
import { type DemoTenant, demoTenant } from '../../support/demo-tenant.ts'
import { describeOwnInspector } from '../../support/describe-inspector.ts'

describeOwnInspector('the tokens screen', (world) => {
  let aurora: DemoTenant

  beforeAll(async () => {
    aurora = await demoTenant(world.at, 'aurora')
  })

  const PASTE = 'Key or token, with or without Bearer'

  it('explains a pasted token: its user, expiry and accepting services', async () => {
    const token = await aurora.mint({ kind: 'data_plane_token', user: 'ana@patients.test' })
    const { page } = await world.open('/tokens')
    await page.getByLabel(PASTE).fill(`Authorization: Bearer ${token}`)
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText('valid', { exact: true }).waitFor()
    await verdict.getByText('signature valid').waitFor()
    await verdict.getByText(/^expires in 59 min/).waitFor()
    await page.getByText('"ana@patients.test"').first().waitFor()
    const exp = page.getByText('exp:', { exact: true }).locator('..')
    expect(await exp.innerText()).toMatch(/exp:\s*\d{10}\s*\d{4}-\d\d-\d\d [\d:]+ UTC · in 59 min/)
    const services = page.getByRole('list', { name: 'Services' })
    expect(await services.locator('[data-service="rest"]').innerText()).toContain('accepted')
    expect(await services.locator('[data-service="groups"]').innerText()).toContain('refused')
    expect(page.url()).not.toContain(token.slice(0, 20))
    await world.shoot('tokens')
    await verdict.getByRole('button', { name: 'Copy request' }).click()
    await page.getByRole('menuitem', { name: 'Copy as test' }).click()
    await page.getByText('Copied as test').waitFor()
    const test = await page.evaluate(() => navigator.clipboard.readText())
    expect(test).toContain("tenant.as({ role: 'authenticated', user: '")
    expect(test).toContain('expect(answer.status).toBe(200)')
  })

  it('makes no claim about the expiry of an unknown credential', async () => {
    const { page } = await world.open('/tokens')
    await page.getByLabel(PASTE).fill('nonsense')
    await page.getByRole('heading', { name: 'unknown credential' }).waitFor()
    expect(await page.getByText('does not expire').count()).toBe(0)
  })

  it('shows how long ago a token expired, in platform time', async () => {
    const token = await aurora.mint({ kind: 'data_plane_token', expires_in: -90 })
    const { page } = await world.open('/tokens')
    await page.getByLabel(PASTE).fill(token)
    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByText('refused', { exact: true }).waitFor()
    await verdict.getByText(/^expired 1 min/).waitFor()
    await world.at.call('POST', '/_emulator/v1/clock', { body: { advance_ms: 3_600_000 } })
    await verdict.getByText(/^expired 1 h/).waitFor()
    await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
    await verdict.getByText(/^expired 1 min/).waitFor()
  })

  it('mints an expired token and explains it', async () => {
    const { page } = await world.open('/tokens?project=aurora&user=silva@aurora.test')
    const form = page.getByRole('form', { name: 'New credential' })
    await form.getByLabel('Additional claims, as JSON').fill('{"aal": "aal2"}')
    await form.getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'already expired' }).click()
    await form.getByRole('button', { name: 'Mint' }).click()
    await page
      .getByRole('region', { name: 'Verdict' })
      .getByText('refused', { exact: true })
      .waitFor()
    await page.getByText('"aal2"').first().waitFor()
    await page.getByText('"silva@aurora.test"').first().waitFor()
  })

  it('shows the credential of a request and mints a similar one', async () => {
    const ana = await aurora.mint({ kind: 'data_plane_token', user: 'ana@patients.test' })
    await aurora.get('/auth_users', ana)
    const { page } = await world.open('/requests')
    await page.getByRole('row', { name: '/auth_users' }).first().click()
    await page.getByRole('tab', { name: 'Credential' }).click()
    await page.getByRole('link', { name: 'Open in Tokens' }).click()
    await page.getByText('"ana@patients.test"').first().waitFor()
    await page.getByRole('button', { name: 'Mint similar credential' }).click()
    await page
      .getByRole('region', { name: 'Verdict' })
      .getByText('valid', { exact: true })
      .waitFor()
  })

  it('revokes every credential of a project by regenerating its keys', async () => {
    const boavista = await demoTenant(world.at, 'boavista')
    const { page } = await world.open('/tokens')
    await page.getByLabel(PASTE).fill(boavista.anonKey)
    await page.getByRole('button', { name: 'Regenerate keys…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox').fill('boavista')
    await dialog.getByRole('button', { name: 'Regenerate' }).click()
    await page
      .getByRole('region', { name: 'Verdict' })
      .getByText('refused', { exact: true })
      .waitFor()
    expect((await boavista.get('/announcements', boavista.anonKey)).status).toBe(401)
  })
})
