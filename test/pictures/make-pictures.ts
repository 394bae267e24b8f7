// Makes the pictures of the inspector from the demo. Runs in `npm run docs:pictures`, which keeps them, and in a browser test.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { packageFile } from '../../emulator/core/package-files.ts'
import { createEmulator } from '../../emulator/index.ts'
import type { CallOptions } from '../support/test-emulator.ts'
import { PICTURES, type Stage } from './pictures.ts'

/** Pixels of every picture. */
export const SIZE = { width: 1_280, height: 800 } as const

/** The words of each picture's screen, sorted. */
export type PictureWords = Readonly<Record<string, readonly string[]>>

/** Writes all pictures into the folder. Returns what their screens say. */
export async function makePictures(browser: Browser, folder: string): Promise<PictureWords> {
  mkdirSync(folder, { recursive: true })
  await using stage = await openStage()
  const words: Record<string, readonly string[]> = {}
  for (const { name, path, prepare, show } of PICTURES) {
    await prepare?.(stage)
    await using screen = await openScreen(browser, `${stage.url}/_emulator${path}`)
    const { page } = screen
    await show(page)
    const loading = page.getByRole('status', { name: /^(Loading|Evaluating)/ })
    await loading.first().waitFor({ state: 'detached' })
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      await page.waitForFunction(
        (wanted) => document.documentElement.dataset['theme'] === wanted,
        theme,
      )
      const file = join(folder, theme === 'light' ? `${name}.png` : `${name}-dark.png`)
      await sharp(await steadyScreenshot(page))
        .png({ palette: true, effort: 10 })
        .toFile(file)
    }
    words[name] = wordsOf(await page.locator('body').innerText())
  }
  return words
}

/** The share of words that only one of two screens has: 0 for equal texts, 1 for texts without a common word. */
export function differenceOf(one: readonly string[], other: readonly string[]): number {
  const all = new Set([...one, ...other])
  const common = one.filter((word) => other.includes(word))
  return all.size === 0 ? 0 : 1 - common.length / all.size
}

async function openStage(): Promise<Stage & AsyncDisposable> {
  const emulator = await createEmulator({
    deterministicSeed: 'pictures',
    publicUrl: 'http://127.0.0.1:7357',
  })
  await emulator.applyFixture(packageFile('fixtures/clinics'))
  const { port } = await emulator.listen({ port: 0, host: '127.0.0.1' })
  const url = `http://127.0.0.1:${port}`
  const { groups } = await emulator.ready(url)
  const aurora = groups.flatMap(({ tenants }) => tenants).find(({ slug }) => slug === 'aurora')
  if (aurora === undefined) throw new Error('The demo has no tenant aurora.')
  const call = async (
    method: string,
    path: string,
    { credential, body, headers }: CallOptions = {},
  ): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...headers,
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
        'content-type': 'application/json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answer.text()
  }
  return {
    url,
    call,
    anonKey: aurora.anon_key,
    [Symbol.asyncDispose]: () => emulator.close(),
  }
}

async function openScreen(
  browser: Browser,
  url: string,
): Promise<{ readonly page: Page } & AsyncDisposable> {
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    colorScheme: 'light',
    viewport: SIZE,
  })
  const page = await context.newPage()
  await page.goto(url)
  await page.getByRole('navigation', { name: 'Screens' }).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

/** A screenshot between two changes of the texts that differ each time. On a busy machine, the fourth one has to do. */
async function steadyScreenshot(page: Page): Promise<Buffer> {
  for (let turn = 1; ; turn += 1) {
    await page.evaluate(replaceChangingTexts)
    const screenshot = await page.screenshot()
    if (turn === 4 || (await page.evaluate(replaceChangingTexts)) === 0) return screenshot
  }
}

/** Runs in the page. Replaces times and durations, which differ each time the pictures are made. Returns how many it replaced. */
function replaceChangingTexts(): number {
  let count = 0
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const text = node.nodeValue ?? ''
    const steady = text
      .replace(/\b20\d\d-\d\d-\d\d/g, '2026-03-02')
      .replace(/^(?:first )?\d+ \w+ ago(?:, last .*)?$/, 'just now')
      .replace(/\b\d\d:\d\d:\d\d(?:\.\d+)?/g, '09:30:00')
      .replace(/\b\d+(?:\.\d+)? (ms|s|min)(?=[ .]|$)/g, '12 $1')
      .replace(
        /^.*(?:MB heap|in the queue|queued).*$/s,
        'work spent 2 % of its time in the queue, 128 MB heap',
      )
    if (steady === text) continue
    node.nodeValue = steady
    count += 1
  }
  return count
}

function wordsOf(text: string): readonly string[] {
  return [...new Set(text.match(/\p{L}{3,}/gu))].toSorted()
}
