// Scrolls the grid or list of a page, and measures frames and the processor time of the page's main thread.
import type { Page } from 'playwright-core'

/**
 * Frame times, and the processor time of the page's main thread per frame in milliseconds. Other programs do not affect the
 * processor time.
 */
export interface ScrollCost extends Frames {
  readonly work: number
}

/** Milliseconds between frames. */
interface Frames {
  readonly median: number
  readonly p95: number
  readonly p99: number
  readonly longest: number
}

/** Pixels that the list scrolls in a frame, which are three rows. */
const STEP = 84
const FRAMES = 120

/** @param selector the element that scrolls */
export async function scrollCost(page: Page, selector = '[role=grid]'): Promise<ScrollCost> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
  const before = await worked()
  const frames = await page.evaluate(scrollAndMeasure, {
    selector,
    pixels: STEP,
    count: FRAMES,
  })
  const work = Math.round((((await worked()) - before) / FRAMES) * 10) / 10
  await session.detach()
  return { ...frames, work }
}

export function costText({ median, p95, p99, longest, work }: ScrollCost): string {
  return `median frame ${median} ms, 95 % ${p95} ms, 99 % ${p99} ms, longest ${longest} ms, ${work} ms of work a frame`
}

/** Runs in the page. Scrolls back and forth, so that a short list also scrolls for the whole time. */
async function scrollAndMeasure(given: {
  readonly selector: string
  readonly pixels: number
  readonly count: number
}): Promise<Frames> {
  const list = document.querySelector(given.selector)
  if (list === null) throw new Error(`There is no ${given.selector}`)
  list.scrollTop = 2_000
  const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))
  const gaps: number[] = []
  let [before, step] = [await nextFrame(), given.pixels]
  while (gaps.length < given.count) {
    const at = list.scrollTop
    list.scrollTop += step
    if (list.scrollTop === at) step = -step
    const now = await nextFrame()
    gaps.push(now - before)
    before = now
  }
  gaps.sort((a, b) => a - b)
  const at = (part: number) =>
    Math.round((gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * part))] ?? 0) * 10) / 10
  return { median: at(0.5), p95: at(0.95), p99: at(0.99), longest: at(1) }
}
