// The schema map in a browser: the demo's tables, the rows that an identity can read, a schema with sixty tables, the keyboard,
// and exports.
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { describeInspector, type OpenOptions } from '../../support/describe-inspector.ts'
import { SIXTY_TABLES } from '../../support/sixty-tables.ts'

describeInspector('the schema map', (world) => {
  async function open(path: string, options: OpenOptions = {}): Promise<Page> {
    const { page } = await world.open(path, options)
    await map(page).waitFor()
    return page
  }
  const map = (page: Page) => page.getByRole('group', { name: /^Schema map of/ })
  const box = (page: Page, name: string) =>
    map(page).getByRole('button', { name: new RegExp(`^${name},`) })

  it('shows rows, row-level security and policies of a table, and links to rows and policies', async () => {
    const page = await open('/t/aurora/map')
    await map(page)
      .getByRole('button', { name: 'patients, 4 rows, row-level security on, 4 policies' })
      .click()
    await page.waitForURL(/table=patients/)
    const sheet = page.getByRole('complementary', { name: 'Table patients' })
    await sheet.getByRole('button', { name: 'appointments' }).click()
    await page.getByRole('complementary', { name: 'Table appointments' }).waitFor()
    await page.goto(`${world.url}/t/aurora/map?table=patients&as=user:ana@patients.test`)
    await sheet.getByText('reads 1 of').waitFor()
    expect(await sheet.getByRole('link', { name: 'View policies' }).getAttribute('href')).toBe(
      '/_emulator/t/aurora/policies/patients?as=user%3Aana%40patients.test&view=rows',
    )
    await sheet.getByRole('link', { name: 'View rows' }).click()
    await page.waitForURL(/tables\/patients\?as=user/)
  })

  it('is accessible, and marks the tables that an identity reads', async () => {
    const page = await open('/t/aurora/map?as=user:ana@patients.test&table=appointments')
    for (const width of [1_440, 800]) {
      await world.look({ theme: width === 800 ? 'light' : 'dark', width })
      await page
        .getByRole('status', { name: 'What the identity reads' })
        .getByText(/some/)
        .waitFor()
      await box(page, 'notes')
        .and(page.getByLabel(/reads none of 2/))
        .waitFor()
      expect(await accessibilityFindings(page)).toEqual([])
      await world.shoot(`schema-map-${width}`)
    }
  })

  it('exports an SVG that needs no style sheet, and a Mermaid diagram', async () => {
    const page = await open('/t/aurora/map')
    const save = async (format: string) => {
      await page.getByRole('button', { name: 'Export' }).click()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: format }).click(),
      ])
      return readFileSync(await download.path(), 'utf8')
    }
    const mermaid = await save('Save as Mermaid')
    expect(mermaid.startsWith('erDiagram\n')).toBe(true)
    expect(mermaid).toContain('"patients" ||--o{ "appointments" : "patient_id"')
    const svg = await save('Save as SVG')
    expect(svg).not.toMatch(/class=|var\(--/)
    await page.goto('about:blank')
    const found = await page.evaluate((text) => {
      const image = new DOMParser().parseFromString(text, 'image/svg+xml')
      return {
        broken: image.querySelector('parsererror')?.textContent,
        words: [...image.querySelectorAll('text')].map((each) => each.textContent),
      }
    }, svg)
    expect(found.broken).toBeUndefined()
    expect(found.words).toContain('appointments')
    await page.setContent(svg)
    await world.shoot('schema-map-exported')
  })

  describe('with sixty tables', () => {
    beforeAll(async () => {
      const sql = `drop table if exists outbox; ${SIXTY_TABLES}`
      const answer = await world.at.call('POST', '/_emulator/v1/projects/boavista/sql', {
        body: { sql, identity: 'owner' },
      })
      expect(answer.body).toMatchObject({ error: null })
    })

    it('shows all tables at once, with readable names', async () => {
      const page = await open('/t/boavista/map')
      const sizes = await map(page).evaluate((svg) => {
        const frame = svg.parentElement?.getBoundingClientRect()
        const boxes = [...svg.querySelectorAll('[data-table]')]
        const isInside = (element: Element) => {
          const { left, right, top, bottom } = element.getBoundingClientRect()
          const { left: l, right: r, top: t, bottom: b } = frame ?? new DOMRect()
          return left >= l - 1 && right <= r + 1 && top >= t - 1 && bottom <= b + 1
        }
        const zoom =
          svg.getBoundingClientRect().width / (svg as SVGSVGElement).viewBox.baseVal.width
        const names = boxes.map((each) => [...each.querySelectorAll('text')].at(-1))
        return {
          count: boxes.length,
          inside: boxes.filter(isInside).length,
          smallest: Math.min(
            ...names.map((name) =>
              name === undefined ? 0 : Number.parseFloat(getComputedStyle(name).fontSize) * zoom,
            ),
          ),
        }
      })
      await world.shoot('schema-map-sixty')
      expect(sizes.count).toBeGreaterThanOrEqual(60)
      expect(sizes.inside).toBe(sizes.count)
      expect(sizes.smallest).toBeGreaterThanOrEqual(7)
    })

    it('supports the keyboard: arrows, zoom, whole map and search', async () => {
      const page = await open('/t/boavista/map')
      const zoom = page.getByTestId('zoom')
      const whole = await zoom.innerText()
      await page.keyboard.press('/')
      await page.keyboard.type('stock_rules')
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: 'Table stock_rules' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('complementary').waitFor({ state: 'detached' })
      await box(page, 'stock_rules').focus()
      await page.keyboard.press('ArrowDown')
      const below = await page.evaluate(() =>
        document.activeElement?.closest('[data-table]')?.getAttribute('data-table'),
      )
      expect(below).not.toBe('stock_rules')
      await page.keyboard.press('Enter')
      await page.getByRole('complementary', { name: `Table ${below}` }).waitFor()
      for (let press = 0; press < 8; press += 1) await page.keyboard.press('+')
      expect(await zoom.innerText()).not.toBe(whole)
      await page.keyboard.press('ArrowUp')
      const scroller = map(page).locator('xpath=..')
      expect(
        await scroller.evaluate(({ scrollTop, scrollLeft }) => scrollTop + scrollLeft),
      ).toBeGreaterThan(0)
      await world.shoot('schema-map-near')
      await page.keyboard.press('0')
      expect(Number.parseInt(await zoom.innerText(), 10)).toBeLessThan(100)
    })

    it('shows the visible part in a small map, and moves that part by a click', async () => {
      const page = await open('/t/boavista/map')
      const small = page.getByTestId('mini-map')
      expect(await small.count()).toBe(0)
      const toolbar = page.getByRole('toolbar', { name: 'Schema map' })
      for (let press = 0; press < 6; press += 1)
        await toolbar.getByRole('button', { name: 'Zoom in' }).click()
      await small.click({ position: { x: 4, y: 4 } })
      const scroller = map(page).locator('xpath=..')
      const place = () => scroller.evaluate(({ scrollLeft, scrollTop }) => scrollLeft + scrollTop)
      await expect.poll(place).toBe(0)
      const { width = 0, height = 0 } = (await small.boundingBox()) ?? {}
      await small.click({ position: { x: width - 4, y: height - 4 } })
      await expect.poll(place).toBeGreaterThan(100)
      await world.shoot('schema-map-mini')
    })

    it('moves the visible part by dragging without opening a table, and zooms at the pointer', async () => {
      const page = await open('/t/boavista/map')
      const scroller = map(page).locator('xpath=..')
      await page.mouse.move(700, 500)
      await page.keyboard.down('Control')
      await page.mouse.wheel(0, -700)
      await page.keyboard.up('Control')
      await expect.poll(() => page.getByTestId('zoom').innerText()).not.toMatch(/^[1-4]\d %/)
      const before = await scroller.evaluate(({ scrollLeft }) => scrollLeft)
      await page.mouse.down()
      await page.mouse.move(600, 450, { steps: 4 })
      await page.mouse.up()
      expect(await scroller.evaluate(({ scrollLeft }) => scrollLeft)).toBe(before + 100)
      expect(page.url()).not.toContain('table=')
    })
  })
})
