// How much processor time of the emulator an open inspector uses while an application sends requests. The browser's own time is
// left out: it belongs to the machine, not to the emulator.
import type { Browser } from 'playwright-core'
import { sendRequests } from './inspector-world.ts'
import { median, processorMillis } from './measure.ts'
import { type BenchServer, manage } from './server.ts'

const PAIRS = 7
/**
 * Number of requests per measurement. The requests take some seconds, so that an open page on Home reloads its data meanwhile.
 */
const REQUESTS = 15_000
/** Calls after which all sizes of projects are known. */
const WARM_CALLS = 40
const CALLS = 20
/** Milliseconds until a page on Home has loaded everything. The cost of an open page does not include loading it. */
const SETTLED_MILLIS = 3_000

/** Measures pairs: the same requests, once with an open page on Home and once without. */
export async function printHomeCost(
  chromium: Browser,
  server: BenchServer,
  home: string,
): Promise<void> {
  const page = await (await chromium.newContext()).newPage()
  const ratios: number[] = []
  let calls = 0
  page.on('request', () => {
    calls += 1
  })
  const costOf = async (address: string) => {
    await page.goto(address)
    await page.waitForTimeout(SETTLED_MILLIS)
    calls = 0
    const before = processorMillis(server.pid)
    await sendRequests(server, REQUESTS)
    return processorMillis(server.pid) - before
  }
  await costOf(home)
  for (let pair = 0; pair < PAIRS; pair += 1) {
    // The order alternates, so that warm caches and full buffers favour neither side.
    const isOpenFirst = pair % 2 === 1
    const first = await costOf(isOpenFirst ? home : 'about:blank')
    const second = await costOf(isOpenFirst ? 'about:blank' : home)
    ratios.push(isOpenFirst ? first / second : second / first)
  }
  await page.context().close()
  const all = ratios.map((ratio) => ratio.toFixed(3)).join(' ')
  console.log(
    `a page on Home: ${median(ratios).toFixed(3)} times the emulator’s processor time (${all}), ${calls} calls at last`,
  )
}

export async function printOverviewCost(server: BenchServer): Promise<void> {
  const ask = () =>
    manage(server, server.ready.platform.session_token, 'GET', '/_emulator/v1/overview')
  for (let call = 0; call < WARM_CALLS; call += 1) await ask()
  const millis: number[] = []
  const before = processorMillis(server.pid)
  for (let call = 0; call < CALLS; call += 1) {
    const begun = performance.now()
    await ask()
    millis.push(performance.now() - begun)
  }
  const worked = (processorMillis(server.pid) - before) / CALLS
  console.log(
    `GET /overview: ${median(millis).toFixed(0)} ms, ${worked.toFixed(0)} ms of processor time`,
  )
}
