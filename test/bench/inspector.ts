// `npm run bench:inspector`: how long the inspector's screens take in Chromium, on the platform of inspector-world.ts. Figures for eyes, never assertions. `--only /t/$tenant/audit` measures one
// screen, `--rounds N` sets the samples of each figure.
import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { SCREENS } from '../../emulator/contract/screens.ts'
import { workerChromium } from '../support/chromium.ts'
import { costText, scrollCost } from '../support/scroll-cost.ts'
import { printHomeCost, printOverviewCost } from './inspector-cost.ts'
import { buildInspectorWorld, LARGE_TABLE, TENANT } from './inspector-world.ts'
import { median } from './measure.ts'
import { type BenchServer, manage, startServer, stopServer, temporaryDataDir } from './server.ts'

const { values: options } = parseArgs({
  options: { only: { type: 'string' }, rounds: { type: 'string', default: '5' } },
})
const ROUNDS = Number(options.rounds)

interface Opened {
  /** Milliseconds until the screen shows its data and no part is loading. The rest of a long list may still load. */
  readonly millis: number
  /** Milliseconds until all requests have ended, including the rest of long lists. */
  readonly whole: number
  /** Requests to the emulator's own API. */
  readonly calls: readonly string[]
}

const dataDir = temporaryDataDir()
const server = await startServer(dataDir)
const browser = await workerChromium()
try {
  await buildInspectorWorld(server)
  await printScreens(browser, server)
  if (options.only === undefined) {
    await printAudit(server)
    await printScrolling(browser, server)
    await printOverviewCost(server)
    await printHomeCost(browser, server, addressOf(server, '/'))
  }
} finally {
  await browser.close()
  await stopServer(server)
  rmSync(dataDir, { recursive: true, force: true })
}

function addressOf({ ready }: BenchServer, path: string): string {
  return `${ready.auth_url}/_emulator${path.replace('$tenant', TENANT)}`
}

async function printScreens(chromium: Browser, at: BenchServer): Promise<void> {
  const asked = [
    ...SCREENS.map(({ path }) => path as string),
    `/t/$tenant/tables/${LARGE_TABLE}`,
    `/t/$tenant/policies/${LARGE_TABLE}?view=rows&as=anon`,
  ]
  for (const path of asked) {
    if (options.only !== undefined && options.only !== path) continue
    const url = addressOf(at, path)
    const cold: Opened[] = []
    const warm: Opened[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const context = await chromium.newContext({ viewport: { width: 1_440, height: 900 } })
      cold.push(await openCold(context, url))
      warm.push(await openWarm(context, addressOf(at, warmFrom(path)), url))
      await context.close()
    }
    const twice = repeated(cold.at(-1)?.calls ?? [])
    console.log(
      `${path.padEnd(32)} cold ${millisOf(cold)}  warm ${millisOf(warm)}  ${warm.at(-1)?.calls.length} calls${twice}`,
    )
  }
}

function millisOf(opened: readonly Opened[]): string {
  const all = opened.map(({ millis }) => millis)
  const whole = median(opened.map((one) => one.whole))
  const later = whole > median(all) ? `, whole ${whole.toFixed(0)}` : ''
  return `${median(all).toFixed(0).padStart(5)} ms (${Math.min(...all).toFixed(0)}–${Math.max(...all).toFixed(0)}${later})`
}

function repeated(calls: readonly string[]): string {
  const twice = new Set(calls.filter((call, index) => calls.indexOf(call) !== index))
  return twice.size === 0 ? '' : `, twice: ${[...twice].join(', ')}`
}

/** Path of the screen that is open before the measured one. The screen loads no data of a tenant. */
function warmFrom(path: string): string {
  return path === '/clock' ? '/faults' : '/clock'
}

/** Loads a screen's address, with nothing in the browser's cache. */
async function openCold(context: BrowserContext, url: string): Promise<Opened> {
  const page = await context.newPage()
  await page.addInitScript(watchPage)
  await page.goto(url)
  return await opened(page, 0)
}

/** Opens a screen from another screen. The browser's cache has the code of the opened screen, but not its data. */
async function openWarm(context: BrowserContext, from: string, url: string): Promise<Opened> {
  const page = await context.newPage()
  await page.addInitScript(watchPage)
  await page.goto(from)
  await opened(page, 0)
  const begun = await page.evaluate((address) => {
    const now = performance.now()
    Reflect.get(globalThis, 'watched').begin()
    history.pushState(null, '', address)
    return now
  }, url)
  return await opened(page, begun)
}

async function opened(page: Page, begun: number): Promise<Opened> {
  await page.waitForFunction(() => Reflect.get(globalThis, 'watched')?.isSettled(), null, {
    polling: 50,
    timeout: 60_000,
  })
  const { calls, shownAt, wholeAt } = await page.evaluate(() =>
    Reflect.get(globalThis, 'watched').result(),
  )
  return { calls, millis: shownAt - begun, whole: wholeAt - begun }
}

/** Runs in the page. Records when the screen became ready, and the requests to the emulator's own API. */
function watchPage(): void {
  const QUIET_MILLIS = 500
  const LOADING = '[role=status][aria-label^=Loading], [role=status][aria-label^=Evaluating]'
  const API = '/_emulator/v1'
  // Requests that a ready screen may still wait for: the rest of a long list, older journal pages, and later tenants of a fleet.
  const isRest = (call: string) => /"limit":10000\b|[?&]before=|\/fleet\/survey$/.test(call)
  let calls: string[] = []
  let waiting = new Set<string>()
  let answered = new Set<string>()
  let title: string | undefined
  let shownAt: number | undefined
  let wholeAt: number | undefined
  let changedAt = 0
  const send = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const url = String(input instanceof Request ? input.url : input)
    const call = `${init?.method ?? 'GET'} ${url.replace(API, '')}${init?.body ?? ''}`
    if (!url.startsWith(API)) return await send(input, init)
    calls.push(call)
    if (!answered.has(call)) waiting.add(call)
    try {
      return await send(input, init)
    } finally {
      answered.add(call)
      waiting.delete(call)
    }
  }
  const isShown = () => {
    const shown = document.querySelector('h1')?.textContent
    if (shown === undefined || shown === title) return false
    return document.querySelector(LOADING) === null && [...waiting].every(isRest)
  }
  const look = () => {
    const [shown, now] = [isShown(), performance.now()]
    const whole = shown && waiting.size === 0
    if (shown !== (shownAt !== undefined) || whole !== (wholeAt !== undefined)) changedAt = now
    shownAt = shown ? (shownAt ?? now) : undefined
    wholeAt = whole ? (wholeAt ?? now) : undefined
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  Reflect.set(globalThis, 'watched', {
    begin: () => {
      title = document.querySelector('h1')?.textContent ?? undefined
      calls = []
      waiting = new Set()
      answered = new Set()
      shownAt = undefined
      wholeAt = undefined
    },
    isSettled: () => wholeAt !== undefined && performance.now() - changedAt > QUIET_MILLIS,
    result: () => ({ calls, shownAt, wholeAt }),
  })
}

async function printAudit(at: BenchServer): Promise<void> {
  const path = `/_emulator/v1/projects/${TENANT}/audit`
  const rates: number[] = []
  const wholes: number[] = []
  let cells = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now()
    const audit = await manage<{ cells: number; duration_ms: number }>(
      at,
      at.ready.platform.session_token,
      'POST',
      path,
      {},
    )
    wholes.push(performance.now() - begun)
    rates.push((audit.cells * 1_000) / audit.duration_ms)
    cells = audit.cells
  }
  console.log(
    `audit: ${cells} cells, ${median(rates).toFixed(0)} cells/s, whole answer ${median(wholes).toFixed(0)} ms`,
  )
}

async function printScrolling(chromium: Browser, at: BenchServer): Promise<void> {
  for (const [path, list] of [
    [`/t/$tenant/tables/${LARGE_TABLE}`, '[role=grid]'],
    ['/requests', '[role=grid]'],
  ] as const) {
    const context = await chromium.newContext({ viewport: { width: 1_440, height: 900 } })
    const page = await context.newPage()
    await page.addInitScript(watchPage)
    await page.goto(addressOf(at, path))
    await opened(page, 0)
    console.log(`${path}, scrolling: ${costText(await scrollCost(page, list))}`)
    await context.close()
  }
}
