// Decides whether something hangs, on a machine of any speed. Measures the processor time that this process spent on it, and
// the turns of its own event loop, instead of the time of day. A process that gets no processor time takes no turns.

/** Milliseconds of processor time, and of the event loop's own turns, that one case may take. */
const BOUND_MILLIS = 2_000
const TURN_MILLIS = 50

export class HangError extends Error {}

/** Waits for `work`. @throws {HangError} when it takes more than the bound of processor time or of turns */
export async function withinBound<T>(
  work: () => Promise<T>,
  boundMillis: number = BOUND_MILLIS,
): Promise<T> {
  const before = process.cpuUsage()
  let turns = 0
  let timer: NodeJS.Timeout | undefined
  const hung = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      turns += 1
      if (turns * TURN_MILLIS >= boundMillis)
        reject(new HangError(`no answer within ${boundMillis} ms`))
    }, TURN_MILLIS)
  })
  try {
    const result = await Promise.race([work(), hung])
    const { user, system } = process.cpuUsage(before)
    const spent = (user + system) / 1_000
    if (spent > boundMillis)
      throw new HangError(`kept the process busy for ${Math.round(spent)} ms`)
    return result
  } finally {
    clearInterval(timer)
  }
}
