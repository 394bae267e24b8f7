// Files of users, opened in a real browser on the origin that storage shares with the inspector. Every payload tries to fetch the
// emulator's own API and to register a service worker.
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_HINT, workerChromium } from '../support/chromium.ts'
import { presign, type S3Credentials } from '../support/s3-client.ts'
import { type StorageWorld, startStorageWorld } from '../support/storage-world.ts'

// The script sends a request before it registers the worker. The request shows that the browser ran the script.
const SCRIPT = `fetch('/_emulator/v1/info'); navigator.serviceWorker.register('worker.js')`
const HTML = `<!doctype html><title>shown</title><script>${SCRIPT}</script>`
const XHTML = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${SCRIPT}</script></html>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg"><script>${SCRIPT}</script></svg>`

const PAYLOADS: readonly (readonly [contentType: string, body: string])[] = [
  ['*/*', HTML],
  ['unknown/unknown', HTML],
  ['application/unknown', HTML],
  ['text/html; charset=utf-8', HTML],
  // Browsers use the last type of a list.
  ['image/png; a=b, text/xsl', HTML],
  ['application/xhtml+xml', XHTML],
  ['text/xsl', HTML],
  ['text/xsl; charset=utf-8', XHTML],
  ['text/xml', XHTML],
  ['image/svg+xml', SVG],
  // Types that storage serves unchanged.
  ['text/plain', HTML],
  ['image/png', HTML],
  ['application/pdf', HTML],
  ['video/mp4', HTML],
]

describe.skipIf(CHROMIUM === undefined)(`a browser with stored pages${CHROMIUM_HINT}`, () => {
  let world: StorageWorld
  let context: BrowserContext
  /** The open inspector, which has the same origin as a stored script. */
  let inspector: Page
  let bucket: string
  let s3: S3Credentials

  beforeAll(async () => {
    world = await startStorageWorld()
    bucket = await world.freshBucket({ public: true })
    s3 = (await world.at.call('POST', `/_emulator/v1/projects/${world.tenant.slug}/s3-keys`)).body
    await store('worker.js', 'application/javascript', 'self.onfetch = () => undefined')
    context = await (await workerChromium()).newContext()
    inspector = await context.newPage()
    await inspector.goto(`${world.at.url}/_emulator/`)
  })
  afterAll(async () => {
    await context?.close()
    await world?.[Symbol.asyncDispose]()
  })
  afterEach(async () => {
    for (const page of context.pages()) if (page !== inspector) await page.close()
    await inspector.evaluate(async () => {
      for (const worker of await navigator.serviceWorker.getRegistrations())
        await worker.unregister()
    })
  })

  async function store(key: string, contentType: string, body: string): Promise<void> {
    const headers = { 'content-type': contentType, 'x-upsert': 'true' }
    const stored = await world.ask('POST', `/object/${bucket}/${key}`, { body, headers })
    if (stored.status !== 200) throw new Error(stored.text)
  }

  /** Opens a stored payload. Returns the requests that it sent and the number of service workers that it registered. */
  async function openPayload(url: string): Promise<{ requests: string[]; workers: number }> {
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    // The navigation fails when the browser downloads the file because it cannot show it.
    await page.goto(url).catch((error: unknown) => {
      if (!/Download is starting|ERR_ABORTED/.test(String(error))) throw error
    })
    return {
      requests: asked.filter((path) => path.startsWith('/_emulator')),
      workers: await countWorkers(),
    }
  }

  function countWorkers(): Promise<number> {
    return inspector.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
  }

  it.each(PAYLOADS)('runs no script of an object stored as %s', async (contentType, body) => {
    await store('payload', contentType, body)
    const reached = await openPayload(`${world.url}/object/public/${bucket}/payload`)
    expect(reached).toEqual({ requests: [], workers: 0 })
  })

  it('runs no script of an object at a signed URL', async () => {
    await store('payload', '*/*', HTML)
    const { data } = await world.client().from(bucket).createSignedUrl('payload', 60)
    expect(await openPayload(data?.signedUrl ?? '')).toEqual({ requests: [], workers: 0 })
  })

  it('runs no script of an object at a presigned S3 URL', async () => {
    await store('payload', 'text/xsl', HTML)
    const url = presign(s3, 'GET', `/${bucket}/payload`, 60)
    expect(await openPayload(url)).toEqual({ requests: [], workers: 0 })
  })

  it('registers no stored script as a service worker', async () => {
    const script = `/storage/v1/object/public/${bucket}/worker.js`
    const outcome = await inspector.evaluate(
      (url) =>
        navigator.serviceWorker.register(url).then(
          () => 'registered',
          (error: Error) => error.name,
        ),
      script,
    )
    expect(outcome).not.toBe('registered')
    expect(await countWorkers()).toBe(0)
  })

  it('shows a stored picture and runs a stored script in a page of another origin', async () => {
    await store('script.js', 'text/javascript', 'globalThis.isLoaded = true')
    await store('drawing.svg', 'image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg"/>`)
    const page = await context.newPage()
    const folder = `${world.url}/object/public/${bucket}`
    await page.setContent(
      `<img src="${folder}/drawing.svg"><script src="${folder}/script.js"></script>`,
    )
    const isShown = await page
      .locator('img')
      .evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
    expect(isShown).toBe(true)
    expect(await page.evaluate(() => 'isLoaded' in globalThis)).toBe(true)
  })
})
