// The clock screen in a browser, by clicking: freeze, advance, set, reset, seen by the platform.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ClockState } from '../../../emulator/contract/clock.ts'
import { CHROMIUM, CHROMIUM_HINT } from '../../support/chromium.ts'
import {
  type InspectorPage,
  type InspectorWorld,
  startInspector,
} from '../../support/inspector-page.ts'

describe.skipIf(CHROMIUM === undefined)(`the clock screen${CHROMIUM_HINT}`, () => {
  let world: InspectorWorld
  let opened: InspectorPage | undefined

  beforeAll(async () => {
    world = await startInspector()
  })
  afterEach(async () => {
    await opened?.[Symbol.asyncDispose]()
    opened = undefined
    await world.at.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  async function open(theme: 'dark' | 'light' = 'dark') {
    opened = await world.open('/clock', { theme })
    await opened.page.getByTestId('clock-face').waitFor()
    return opened.page
  }
  async function state(): Promise<ClockState> {
    return (await (await fetch(`${world.url}/v1/clock`)).json()) as ClockState
  }

  it.each(['dark', 'light'] as const)('freezes and resumes, %s', async (theme) => {
    const page = await open(theme)
    await page.getByRole('button', { name: 'Freeze clock', exact: true }).click()
    await page.getByRole('button', { name: 'Resume clock' }).waitFor()
    expect(await state()).toMatchObject({ frozen: true })
    await opened?.shoot('clock-frozen')
    await page.getByRole('button', { name: 'Resume clock' }).click()
    await page.getByRole('button', { name: 'Freeze clock', exact: true }).waitFor()
    opened?.expectSilence()
  })

  it('advances by a day and by a typed duration, and resets', async () => {
    const page = await open()
    await page.getByRole('button', { name: '+1 day' }).click()
    await page.getByText('1 d ahead of real time').waitFor()
    await page.getByLabel('Duration').fill('2 h 30 min')
    await page.getByRole('button', { name: 'Advance clock' }).click()
    await page.getByText('1 d 2 h ahead of real time').waitFor()
    expect((await state()).offset_ms).toBe(26.5 * 3_600_000)
    await opened?.shoot('clock-advanced')
    await page.getByRole('button', { name: 'Reset clock' }).click()
    await page
      .getByRole('region', { name: 'Platform time' })
      .getByText('real time')
      .first()
      .waitFor()
    await expect.poll(async () => (await state()).offset_ms).toBe(0)
    opened?.expectSilence()
  })

  it('sets the clock to an instant and freezes it', async () => {
    const page = await open()
    await page.getByLabel('Date and time, UTC').fill('2030-01-01T12:00:00')
    await page.getByRole('button', { name: 'Set and freeze clock' }).click()
    await page.getByTestId('clock-face').filter({ hasText: '2030-01-01 12:00:00' }).waitFor()
    expect(await state()).toMatchObject({ now: '2030-01-01T12:00:00.000Z', frozen: true })
    opened?.expectSilence()
  })

  it('shows the format of a duration after invalid input', async () => {
    const page = await open()
    await page.getByLabel('Duration').fill('soon')
    await page.getByText('Enter a duration').waitFor()
    expect(await page.getByRole('button', { name: 'Advance clock' }).isDisabled()).toBe(true)
  })
})
