// Decides whether a case hangs, on a machine of any speed. Measures processor time and turns of the event loop instead of
// wall-clock time. Neither measure grows while the process gets no processor time.

/** Milliseconds that one case may take: of processor time, and of counted timer turns of the event loop. */
const BOUND_MILLIS = 2_000
const TURN_MILLIS = 50

export class HangError extends Error {}

/** Waits for `work`. @throws {HangError} when `work` takes more than the bound of processor time or of turns */
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
