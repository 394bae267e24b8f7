// The policy editor in a browser: the matrix shows what a draft opens and closes before it is saved.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { NEW_USER } from '../../../emulator/contract/choices.ts'
import { accessibilityFindings } from '../../support/axe.ts'
import { describeInspector } from '../../support/describe-inspector.ts'

describeInspector('the policy editor', (world) => {
  async function open(path: string): Promise<Page> {
    const { page } = await world.open(path)
    return page
  }

  async function write(page: Page, label: string, text: string): Promise<void> {
    await page.getByRole('textbox', { name: label, exact: true }).fill(text)
  }

  it('updates the matrix of visible rows while the user types, and saves the policy', async () => {
    const page = await open('/t/aurora/policies/patients')
    await page.getByRole('button', { name: 'Edit policy patients_see_themselves' }).click()
    const matrix = page.getByRole('table', { name: 'Rows and identities' })
    const changed = matrix.locator('[data-change=gained]')
    await matrix
      .getByRole('button', { name: /^new user: hidden/ })
      .first()
      .waitFor()
    expect(await changed.count()).toBe(0)
    await write(page, 'using', 'true')
    const gained = matrix.getByRole('button', {
      name: /^new user: hidden now, visible with the draft/,
    })
    await gained.first().waitFor()
    const rows = await gained.count()
    await matrix.getByText(`sees 0 → ${rows} of ${rows}`).first().waitFor()
    await gained.first().click()
    await page
      .getByText(/hidden now: .*; visible with the draft by patients_see_themselves/)
      .waitFor()
    await world.shoot('policy-editor')
    await write(page, 'using', 'user_id = ')
    await page
      .getByRole('alert')
      .filter({ hasText: 'syntax error at or near ")" (line 1, column 11)' })
      .waitFor()
    await page.getByRole('status').filter({ hasText: 'As of the last valid draft' }).waitFor()
    await gained.first().waitFor()
    await world.shoot('policy-editor-refused')
    await write(page, 'using', 'true')
    await page.getByRole('button', { name: 'Apply change…' }).click()
    const sheet = page.getByRole('dialog', { name: 'Change' })
    await sheet.getByText('alter policy "patients_see_themselves"').waitFor()
    await sheet.getByRole('button', { name: 'Apply to aurora' }).click()
    await sheet.getByText('done', { exact: true }).waitFor()
    await world.shoot('policy-editor-saved')
    await sheet.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('tab', { name: 'Rows × identities' }).click()
    await matrix
      .getByRole('button', { name: /^ana@patients.test: visible/ })
      .nth(rows - 1)
      .waitFor()
  })

  it('fills a new policy from a template, and shows who may insert a row', async () => {
    const page = await open('/t/aurora/policies/patients')
    const form = page.getByRole('form', { name: 'New policy' })
    const choose = async (title: string): Promise<void> => {
      await form.getByRole('combobox', { name: 'Template' }).click()
      await page.getByRole('option', { name: title }).click()
    }
    await page.getByRole('button', { name: 'Create policy' }).click()
    await choose('Everyone reads every row')
    await form.getByText('to anon, authenticated').waitFor()
    const gained = page.locator('[data-change=gained]')
    await page
      .getByRole('button', { name: /^anon: hidden now, visible with the draft/ })
      .first()
      .waitFor()
    await world.shoot('policy-template')
    await choose('Users insert their own rows (user_id)')
    await form.getByText('with check ("user_id" = (select auth.uid()))').waitFor()
    const row = page.getByRole('region', { name: 'New row' })
    await page.getByRole('button', { name: /^new user: refused/ }).waitFor()
    expect(await gained.count()).toBe(0)
    await row.getByRole('textbox', { name: 'user_id' }).fill(NEW_USER.id)
    await row.getByRole('button', { name: 'Evaluate policies' }).click()
    await page
      .getByRole('button', { name: /^new user: refused now, accepted with the draft/ })
      .click()
    await page
      .getByText(/New row for new user: refused now.*; accepted with the draft by users_insert_own/)
      .waitFor()
    expect(await gained.count()).toBe(1)
    expect(await accessibilityFindings(page)).toEqual([])
    await world.shoot('policy-editor-insert')
    await world.look({ width: 800 })
    await world.shoot('policy-editor-insert-800')
    await page.getByRole('button', { name: 'Cancel' }).click()
  })

  it('previews a new policy, and shows which rows become visible without row-level security', async () => {
    const page = await open('/t/aurora/policies/patients')
    await page.getByRole('button', { name: 'Create policy' }).click()
    const save = page.getByRole('button', { name: 'Apply change…' })
    expect(await save.isDisabled()).toBe(true)
    await page.locator('form [role=combobox]:focus').waitFor()
    await page.getByRole('combobox', { name: 'Kind of the policy' }).click()
    await page.getByRole('option', { name: 'restrictive' }).click()
    await page.getByText('Enter a condition. Write true for every row.').waitFor()
    await write(page, 'using', 'false')
    const lost = page.locator('[data-change=lost]')
    await lost.first().waitFor()
    await page.getByText(/cells? lost/).waitFor()
    await world.shoot('policy-editor-create')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Switch RLS off' }).click()
    await page.locator('[data-change=gained]').first().waitFor()
    await page.getByText('alter table "patients" disable row level security').waitFor()
    await world.shoot('policy-editor-rls')
    await world.look({ width: 800 })
    await world.shoot('policy-editor-800')
  })
})
