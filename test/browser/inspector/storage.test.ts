// The storage screen in a browser, by clicking: buckets, dropped files, the view of other identities, links, moves and hostile
// names.
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { demoTenant } from '../../support/demo-tenant.ts'
import { describeInspector } from '../../support/describe-inspector.ts'

describeInspector('the storage screen', (world) => {
  let bucketCount = 0

  async function open(path = '/t/aurora/storage'): Promise<Page> {
    const { page } = await world.open(path)
    await page.getByRole('navigation', { name: 'Buckets' }).waitFor()
    return page
  }
  async function makeBucket(page: Page, isPublic = false): Promise<string> {
    bucketCount += 1
    const name = `files-${bucketCount}`
    await page.getByRole('button', { name: 'New bucket' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New bucket' })
    await dialog.getByLabel('Name').fill(name)
    if (isPublic) await dialog.getByRole('switch', { name: /^Public/ }).click()
    await dialog.getByRole('button', { name: 'Create bucket' }).click()
    await page.waitForURL(`**/storage/${name}`)
    await page.getByText('No objects yet').waitFor()
    return name
  }
  async function drop(
    page: Page,
    name: string,
    content: string,
    type: string,
    times = 1,
  ): Promise<void> {
    const transfer = await page.evaluateHandle(
      ({ fileName, text, mimeType, count }) => {
        const data = new DataTransfer()
        data.items.add(new File([text.repeat(count)], fileName, { type: mimeType }))
        return data
      },
      { fileName: name, text: content, mimeType: type, count: times },
    )
    const area = page.getByTestId('drop-area')
    await area.dispatchEvent('dragover', { dataTransfer: transfer })
    await area.dispatchEvent('drop', { dataTransfer: transfer })
  }
  const file = (page: Page, name: string) =>
    page.getByRole('grid', { name: 'Objects' }).getByRole('button', { name, exact: true })

  it('shows a file that the user dropped on the screen', async () => {
    const page = await open()
    await makeBucket(page)
    await drop(page, 'note.txt', 'Bring the referral letter.', 'text/plain')
    await page.getByText('1 of 1 uploaded').waitFor()
    await file(page, 'note.txt').click()
    await page
      .getByRole('group', { name: 'Preview' })
      .filter({ hasText: 'Bring the referral letter.' })
      .waitFor()
    await world.shoot('storage-object')
  })

  it('shows the used storage of buckets and tenants, and bars only for tenants with a quota', async () => {
    const page = await open()
    const tenants = page.getByRole('region', { name: 'Storage by tenant' })
    const free = tenants.getByRole('listitem').filter({ hasText: /, quota 1/ })
    await tenants.getByRole('listitem').filter({ hasText: 'aurora' }).first().waitFor()
    expect(await tenants.getByRole('meter').count()).toBe(await free.count())
    await world.shoot('storage-bars')
    const own = page.getByRole('region', { name: 'Buckets of aurora' })
    await own.getByRole('link').first().click()
    await page.waitForURL(/\/t\/aurora\/storage\/./)
  })

  it('shows an image', async () => {
    const page = await open()
    await makeBucket(page, true)
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="60"><rect width="80" height="60" fill="#63cf97"/><script>document.title=1</script></svg>'
    await drop(page, 'plan.svg', svg, 'image/svg+xml')
    await file(page, 'plan.svg').click()
    const image = page.getByRole('img', { name: 'Preview of plan.svg' })
    await image.waitFor()
    await expect
      .poll(() => image.evaluate((shown) => (shown as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0)
    await page.getByTestId('public-url').waitFor()
    await page.getByRole('button', { name: 'Show as tiles' }).click()
    await page.getByRole('list', { name: 'Objects' }).waitFor()
    await world.shoot('storage-tiles')
    expect(await page.title()).not.toBe('1')
  })

  it('shows the preview of an SVG from a data: URL, not from the inspector’s origin', async () => {
    const page = await open()
    await makeBucket(page)
    await drop(page, 'plan.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml')
    await file(page, 'plan.svg').click()
    const image = page.getByRole('img', { name: 'Preview of plan.svg' })
    expect(await image.getAttribute('src')).toMatch(/^data:image\/svg\+xml/)
  })

  it('shows why anon may not read a private object', async () => {
    const page = await open()
    const bucket = await makeBucket(page)
    await drop(page, 'secret.txt', 'not for everybody', 'text/plain')
    await file(page, 'secret.txt').waitFor()
    await page.goto(`${world.url}/t/aurora/storage/${bucket}?as=anon`)
    await page.getByText('hidden from anon').waitFor()
    await file(page, 'secret.txt').click()
    await page.getByRole('alert').filter({ hasText: 'Could not read the object' }).waitFor()
    await page.locator('[data-sentence]').waitFor()
    await world.shoot('storage-refused')
    world.allow(/400/)
  })

  it('signs a URL that shows its remaining time and needs no credential', async () => {
    const page = await open()
    await makeBucket(page)
    await drop(page, 'letter.txt', 'Dear Ana', 'text/plain')
    await file(page, 'letter.txt').click()
    await page.getByRole('button', { name: 'Sign URL' }).click()
    const address = await page.getByTestId('signed-url').innerText()
    expect(await (await fetch(address)).text()).toBe('Dear Ana')
    await page.getByText('of platform time left').waitFor()
  })

  it('moves, copies and deletes objects', async () => {
    const page = await open()
    const bucket = await makeBucket(page)
    await drop(page, 'draft.txt', 'one', 'text/plain')
    await file(page, 'draft.txt').click()
    await page.getByRole('button', { name: 'Move or rename…' }).click()
    await page.getByRole('textbox', { name: 'Path' }).fill('letters/final.txt')
    await page.getByRole('button', { name: 'Move object' }).click()
    await file(page, 'letters').dblclick()
    await file(page, 'final.txt').click()
    await page.getByRole('button', { name: 'Copy to…' }).click()
    await page.getByRole('textbox', { name: 'Path' }).fill('letters/copy.txt')
    await page.getByRole('button', { name: 'Copy object' }).click()
    await file(page, 'copy.txt').waitFor()
    await page.getByRole('checkbox', { name: 'Select final.txt' }).click()
    await page.getByRole('button', { name: 'Delete 1 entry' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 entry' }).click()
    await file(page, 'final.txt').waitFor({ state: 'detached' })
    // Another client deletes the object while its sheet is open.
    await file(page, 'copy.txt').click()
    const sheet = page.getByRole('complementary', { name: 'Object' })
    await sheet.getByRole('group', { name: 'Preview' }).waitFor()
    const aurora = await demoTenant(world.at, 'aurora')
    const path = `/storage/v1/object/proj_aurora_${bucket}/letters/copy.txt`
    const token = await aurora.mint({ kind: 'storage_token', role: 'service_role' })
    expect((await world.at.call('DELETE', path, { credential: token })).status).toBe(200)
    await sheet.getByText('The object was moved or deleted.').waitFor()
    expect(await page.getByRole('status', { name: /^Loading/ }).count()).toBe(0)
    await world.shoot('storage-folder')
  })

  it('moves an object into another bucket', async () => {
    const page = await open()
    const target = await makeBucket(page)
    await makeBucket(page)
    await drop(page, 'letter.txt', 'Dear Ana', 'text/plain')
    await file(page, 'letter.txt').click()
    await page.getByRole('button', { name: 'Move or rename…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move' })
    await dialog.getByRole('combobox', { name: 'Bucket' }).click()
    await page.getByRole('option', { name: target }).click()
    await dialog.getByRole('button', { name: 'Move object' }).click()
    await file(page, 'letter.txt').waitFor({ state: 'detached' })
    await page.getByRole('navigation', { name: 'Buckets' }).getByText(target).click()
    await file(page, 'letter.txt').waitFor()
  })

  it('shows why an upload was refused, and replaces the object on request', async () => {
    const page = await open()
    await makeBucket(page)
    await drop(page, 'same.txt', 'first', 'text/plain')
    await page.getByText('1 of 1 uploaded').waitFor()
    await drop(page, 'same.txt', 'second', 'text/plain')
    await page.getByText('The resource already exists').waitFor()
    await page.getByRole('button', { name: 'Replace object' }).click()
    await page.getByText('2 of 2 uploaded').waitFor()
    world.allow(/400/)
  })

  it('sends large files piece by piece', async () => {
    const page = await open()
    await makeBucket(page)
    await drop(page, 'large.bin', 'x', 'application/octet-stream', 7 * 1024 * 1024)
    await page.getByText('1 of 1 uploaded').waitFor()
    await page.getByRole('row').filter({ hasText: 'large.bin' }).getByText('7 MB').waitFor()
  })

  it('shows HTML in object names and files as text', async () => {
    const page = await open()
    await makeBucket(page)
    await drop(page, '<img src=x onerror=document.title=1>.txt', '<b>bold</b>', 'text/html')
    await page.getByText('1 of 1 uploaded').waitFor()
    await page.getByRole('button', { name: /onerror/ }).click()
    await page.getByRole('group', { name: 'Preview' }).getByText('<b>bold</b>').waitFor()
    expect(await page.title()).not.toBe('1')
  })

  it('deletes a bucket after the user typed its name', async () => {
    const page = await open()
    const name = await makeBucket(page)
    await page.getByRole('button', { name: `Actions of ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByLabel(`Type ${name} to confirm`).fill(name)
    await page.getByRole('button', { name: 'Delete bucket' }).click()
    await page.getByRole('link', { name }).first().waitFor({ state: 'detached' })
  })
})
