// POST /_emulator/v1/comparisons: compares a recording with the answers of this emulator (contract/comparisons.ts).
import type { Hono } from 'hono'
import { InspectorError } from '../api-kit/errors.ts'
import { type Bindings, mount } from '../api-kit/mount.ts'
import { COMPARISON_OPERATIONS } from '../contract/comparisons.ts'
import type { Clock } from '../core/clock.ts'
import type { Har } from './har/har.ts'

export function mountComparisons(
  app: Hono<Bindings>,
  { wallClock }: { readonly wallClock: Clock },
): void {
  mount(app, COMPARISON_OPERATIONS, {
    'POST /comparisons': async ({ c }) => {
      // Most emulators compare nothing, so the code is loaded on first use.
      const [{ compareWith }, { platformAt }, { ownCalls }] = await Promise.all([
        import('./replay/compare-with.ts'),
        import('./replay/platform-at.ts'),
        import('./replay/own-calls.ts'),
      ])
      const har = await recordingIn(await c.req.text())
      const { origin } = new URL(c.req.url)
      const calls = ownCalls(origin, c.req.header('authorization'))
      return compareWith(har, await platformAt(origin, calls), wallClock)
    },
  })
}

/** @throws {InspectorError} `invalid_request` */
async function recordingIn(text: string): Promise<Har> {
  const { HarError, parseHar } = await import('./har/read-har.ts')
  try {
    return parseHar(text, 'The file')
  } catch (error) {
    if (!(error instanceof HarError)) throw error
    const { message, hint = '' } = error
    throw new InspectorError('invalid_request', message, { hint, cause: error })
  }
}
