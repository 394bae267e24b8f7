// The compare screen in a browser, by clicking: a recording, its score, and the differences of an endpoint.
import { expect, it } from 'vitest'
import { accessibilityFindings } from '../../support/axe.ts'
import { describeInspector } from '../../support/describe-inspector.ts'

describeInspector('the compare screen', (world) => {
  /** A recording of two reads of treatments. One recorded price differs from the emulator's price. */
  async function recording(): Promise<Buffer> {
    const { groups } = await world.at.emulator.ready(world.at.url)
    const key = groups[0]?.tenants[0]?.anon_key ?? ''
    const claims = { role: 'anon', sub: 'apikey:anon', project_schema: 'proj_aurora', iat: 1 }
    const entries: object[] = []
    for (const name of ['Vaccination', 'Follow-up']) {
      const path = `/treatments?select=name,price&name=eq.${name}`
      const { headers, text } = await world.at.call('GET', path, {
        credential: key,
        headers: { apikey: key },
      })
      entries.push({
        startedDateTime: '2026-03-02T10:00:00.000Z',
        time: 5,
        request: {
          method: 'GET',
          url: `https://api.hosted.test${path}`,
          headers: [
            { name: 'apikey', value: 'masked~token~1' },
            { name: 'authorization', value: 'Bearer masked~token~1' },
          ],
        },
        response: {
          status: 200,
          headers: [...headers].map(([header, value]) => ({ name: header, value })),
          content: {
            mimeType: 'application/json',
            size: text.length,
            text: text.replace('15000', '14999'),
          },
        },
        _order: entries.length * 2,
        _ended: entries.length * 2 + 1,
        _plane: 'data',
        _base: 'https://api.hosted.test',
        _credentials: [{ placeholder: 'masked~token~1', claims }],
      })
    }
    const head = { format: 1, targets: {}, maxBodyBytes: 1_000, masked: [] }
    return Buffer.from(JSON.stringify({ log: { _tenantry: head, entries } }))
  }

  it('shows the score and the differences', async () => {
    const { page } = await world.open('/compare')
    await page.getByText('No recording compared').waitFor()
    const file = { name: 'traffic.har', mimeType: 'application/json', buffer: await recording() }
    await page.getByTestId('recording-field').setInputFiles(file)
    await page.getByText('50 % agree').waitFor()
    const row = page.getByRole('row').filter({ hasText: '/treatments' })
    expect(await row.innerText()).toContain('1 of 2')
    await row.click()
    const sheet = page.getByRole('complementary', { name: 'Differences' })
    await sheet.getByText('body[0].price').waitFor()
    await sheet.getByText('14999').waitFor()
    expect(await accessibilityFindings(page)).toEqual([])
    await world.look({ theme: 'light', width: 800 })
    expect(await accessibilityFindings(page)).toEqual([])
    await world.look({})
    await world.shoot('compare')
  })

  it('says why a file cannot be used as a recording', async () => {
    const { page } = await world.open('/compare')
    const file = { name: 'x.har', mimeType: 'application/json', buffer: Buffer.from('{}') }
    await page.getByTestId('recording-field').setInputFiles(file)
    const message = page.getByText(/The file is not a recording of "tenantry record"/)
    await message.first().waitFor()
    world.allow(/400/)
  })
})
