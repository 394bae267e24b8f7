/** Waits, a turn of the event loop at a time, until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1_000 && !condition(); turn += 1)
    await new Promise((resolve) => setImmediate(resolve))
  if (!condition()) throw new Error('the condition never came true')
}
