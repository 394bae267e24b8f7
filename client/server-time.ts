// Learns how far the platform's clock is ahead of this device's, from the header Date of the platform's answers (RFC 9110 §6.6.1).
// Only changes of this difference matter: a device whose clock is always wrong by the same amount needs no earlier renewals.
import { type ClientClock, instantOf } from './environment.ts'

export interface ServerTime {
  /**
   * Milliseconds by which the platform's clock is ahead of this device's, or behind when negative. `undefined` before the first
   * answer whose time the page may read.
   */
  readonly ahead: number | undefined
  /** Reads the time of an answer. Answers of other addresses are ignored, because their clocks may differ. */
  note(url: string, response: Response): void
}

/**
 * Changes of fewer milliseconds are ignored, because they come from the transport time and from the header's resolution of one
 * second.
 */
const TOLERANCE = 10_000

/** @param onMove called after an answer whose time shows that the platform's clock was moved */
export function createServerTime(
  clock: Pick<ClientClock, 'now'>,
  authUrl: string,
  onMove: () => void,
): ServerTime {
  const { origin } = new URL(authUrl)
  let ahead: number | undefined
  return {
    get ahead() {
      return ahead
    },
    note(url, response) {
      const time = instantOf(response.headers.get('date'))
      if (time === undefined || new URL(url).origin !== origin) return
      const before = ahead
      ahead = time - clock.now()
      if (before !== undefined && Math.abs(ahead - before) > TOLERANCE) onMove()
    },
  }
}

/**
 * Whether a refusal says that a token has expired. The storage service answers 400 or 403. Under these codes, the text of an
 * application's own error may contain the word `expired` for another reason.
 */
export function saysExpired(status: number, message: string): boolean {
  if (status === 401) return /\bexpired\b|\bexp\W+claim\b/i.test(message)
  return (status === 400 || status === 403) && /\bexp\W+claim\b|\bjwt expired\b/i.test(message)
}

/** Whether a response refuses an expired token. Its body stays readable. */
export async function refusesExpired(response: Response): Promise<boolean> {
  const { status } = response
  if (status !== 400 && status !== 401 && status !== 403) return false
  return saysExpired(status, await textOf(response))
}

async function textOf(response: Response): Promise<string> {
  return response
    .clone()
    .text()
    .catch(() => '')
}

/** Whether a request can be sent a second time. A stream, also one of Node, can be read only once. */
export function isRepeatable({ body }: RequestInit): boolean {
  return !(typeof body === 'object' && body !== null && ('getReader' in body || 'pipe' in body))
}
