// The clock screen in a browser, by clicking: freeze, advance, set and reset the clock, and see that the platform uses its time.
import type { Locator } from 'playwright-core'
import { afterEach, expect, it } from 'vitest'
import type { ClockState } from '../../../emulator/contract/clock.ts'
import { describeOwnInspector } from '../../support/describe-inspector.ts'

describeOwnInspector('the clock screen', (world) => {
  afterEach(async () => {
    await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
  })

  async function open() {
    const { page } = await world.open('/clock')
    await page.getByTestId('clock-face').waitFor()
    return page
  }
  async function state(): Promise<ClockState> {
    return (await (await fetch(`${world.url}/v1/clock`)).json()) as ClockState
  }

  it('freezes and resumes the clock', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Freeze clock', exact: true }).click()
    await page.getByRole('button', { name: 'Resume clock' }).waitFor()
    expect(await state()).toMatchObject({ frozen: true })
    await page.getByTestId('context-frame').waitFor()
    await world.shoot('clock-frozen')
    await page.getByRole('button', { name: 'Resume clock' }).click()
    await page.getByRole('button', { name: 'Freeze clock', exact: true }).waitFor()
  })

  it('advances the clock by a day and by a typed duration, and resets the clock', async () => {
    const page = await open()
    await page.getByRole('button', { name: '+1 day' }).click()
    await page.getByText('1 d ahead of real time').waitFor()
    await page.getByLabel('Duration').fill('2 h 30 min')
    await page.getByRole('button', { name: 'Advance clock' }).click()
    await page.getByText('1 d 2 h ahead of real time').waitFor()
    expect((await state()).offset_ms).toBe(26.5 * 3_600_000)
    await world.shoot('clock-advanced')
    await page.getByRole('button', { name: 'Reset clock' }).click()
    await page
      .getByRole('region', { name: 'Platform time' })
      .getByText('real time')
      .first()
      .waitFor()
    await expect.poll(async () => (await state()).offset_ms).toBe(0)
  })

  it('shows what would expire while the timeline is dragged, and advances on release', async () => {
    await world.at.call('POST', '/_emulator/v1/clock', { body: { freeze: true } })
    await world.at.call('POST', '/_emulator/v1/tokens/mint', {
      body: { project: 'aurora', kind: 'data_plane_token', user: 'ana@patients.test' },
    })
    const page = await open()
    const before = Date.parse((await state()).now)
    const line = page.getByRole('region', { name: 'Upcoming expiries' })
    const token = line.getByRole('row').filter({ hasText: 'Data plane token' }).first()
    await token.waitFor()
    const slider = line.getByRole('slider', { name: 'Advance the clock to' })
    const { x = 0, y = 0, width = 0, height = 0 } = (await slider.boundingBox()) ?? {}
    await page.mouse.move(x + 8, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.7, y + height / 2, { steps: 4 })
    await token.getByText('expires').waitFor()
    await line.getByText(/ UTC: [1-9]\d* of \d+ entr(y|ies) would expire\./).waitFor()
    expect(Date.parse((await state()).now)).toBe(before)
    await world.shoot('clock-time-line')
    await page.mouse.up()
    await expect
      .poll(async () => Date.parse((await state()).now))
      .toBeGreaterThan(before + 3_600_000)
    await token.waitFor({ state: 'detached' })
    const dragged = Date.parse((await state()).now)
    await slider.press('ArrowRight')
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^in \d/)
    // The slider ignores Enter while the clock still moves, as the button does.
    await line.getByRole('button', { name: /^Advance by/ }).click({ trial: true })
    await slider.press('Enter')
    await expect.poll(async () => Date.parse((await state()).now)).toBeGreaterThan(dragged)
  })

  it('jumps past an expiry and names what expired, in two clicks from any screen', async () => {
    await world.at.call('POST', '/_emulator/v1/tokens/mint', {
      body: { project: 'aurora', kind: 'data_plane_token', user: 'silva@aurora.test' },
    })
    const { page } = await world.open('/')
    let clicks = 0
    const click = async (target: Locator): Promise<void> => {
      clicks += 1
      await target.click()
    }
    await click(page.getByRole('link', { name: /^Platform clock/ }))
    const coming = page.getByRole('table', { name: 'Upcoming expiries' })
    const token = coming.getByRole('row').filter({ hasText: 'silva@aurora.test' }).first()
    await click(token.getByRole('button', { name: 'Jump past this' }))
    const receipt = page.getByRole('region', { name: 'Last move' })
    await receipt.getByText(/data plane token of silva@aurora\.test/).waitFor()
    expect(clicks).toBeLessThanOrEqual(6)
    await world.shoot('clock-receipt')
    await page.getByRole('button', { name: 'Reset clock' }).click()
    await receipt.waitFor({ state: 'detached' })
  })

  it('keeps the field at platform time until the user edits the field', async () => {
    await world.at.call('POST', '/_emulator/v1/clock', { body: { freeze: '2031-02-03T16:05:06Z' } })
    const page = await open()
    const field = page.getByLabel('Date and time, UTC')
    await expect.poll(() => field.inputValue()).toBe('2031-02-03 16:05:06')
    await page.getByRole('button', { name: '+1 h' }).click()
    await expect.poll(() => field.inputValue()).toBe('2031-02-03 17:05:06')
    await field.fill('2031-02-03 25:00')
    await page.getByText('Enter a time such as 2026-11-21 10:00:00.').waitFor()
  })

  it('sets the clock to an instant and freezes it', async () => {
    const page = await open()
    await page.getByLabel('Date and time, UTC').fill('2030-01-01T12:00:00')
    await page.getByRole('button', { name: 'Set and freeze clock' }).click()
    await page.getByTestId('clock-face').filter({ hasText: '2030-01-01 12:00:00' }).waitFor()
    expect(await state()).toMatchObject({ now: '2030-01-01T12:00:00.000Z', frozen: true })
  })

  it('shows the format of a duration after invalid input', async () => {
    const page = await open()
    await page.getByLabel('Duration').fill('soon')
    await page.getByText('Enter a duration').waitFor()
    expect(await page.getByRole('button', { name: 'Advance clock' }).isDisabled()).toBe(true)
  })
})
