// Waits until a condition holds, instead of for a fixed time.
import { patiently } from './patience.ts'

/** Waits until `condition` holds; fails after `withinMillis`, or longer on a slow machine. */
export function until(condition: () => boolean, withinMillis = 10_000): Promise<void> {
  return poll(condition, { withinMillis, everyMillis: 5 })
}

/** Waits until the asynchronous `condition` resolves to true. */
export function untilAsync(
  condition: () => Promise<boolean>,
  withinMillis = 10_000,
): Promise<void> {
  return poll(condition, { withinMillis, everyMillis: 20 })
}

async function poll(
  condition: () => boolean | Promise<boolean>,
  { everyMillis, withinMillis }: { readonly everyMillis: number; readonly withinMillis: number },
): Promise<void> {
  const begun = performance.now()
  while (!(await condition())) {
    const waited = performance.now() - begun
    if (waited > withinMillis && waited > patiently(withinMillis))
      throw new Error(`not within ${Math.round(waited)} ms: ${condition}`)
    await new Promise((resolve) => {
      setTimeout(resolve, everyMillis)
    })
  }
}
