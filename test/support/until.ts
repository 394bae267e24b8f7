// Waiting for what happens by itself, without a guess at how long it takes.

/** Waits until `condition` holds; fails after `withinMillis`. */
export async function until(condition: () => boolean, withinMillis = 10_000): Promise<void> {
  const end = performance.now() + withinMillis
  while (!condition()) {
    if (performance.now() > end) throw new Error(`not within ${withinMillis} ms: ${condition}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 5)
    })
  }
}

/** Waits until `condition`, which asks something that takes time, resolves to true. */
export async function untilAsync(
  condition: () => Promise<boolean>,
  withinMillis = 10_000,
): Promise<void> {
  const end = performance.now() + withinMillis
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`not within ${withinMillis} ms: ${condition}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
