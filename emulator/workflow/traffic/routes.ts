// POST /_emulator/v1/comparisons: compares a recording with the answers of this emulator (contract/comparisons.ts).
import type { Hono } from 'hono'
import { COMPARISON_OPERATIONS } from '../../contract/comparisons.ts'
import type { Clock } from '../../core/clock.ts'
import { InspectorError } from '../../insight/api-kit/errors.ts'
import { type Bindings, mount } from '../../insight/api-kit/mount.ts'
import { createHttpClient } from '../../platform/http-client/http-client.ts'
import type { Har } from './har/har.ts'

export function mountComparisons(
  app: Hono<Bindings>,
  { wallClock }: { readonly wallClock: Clock },
): void {
  mount(app, COMPARISON_OPERATIONS, {
    'POST /comparisons': async ({ c }) => {
      // Most emulators compare nothing, so the code is loaded on first use.
      const [{ compareWith }, { platformAt }, { reachEmulator }] = await Promise.all([
        import('./replay/compare-with.ts'),
        import('./replay/platform-at.ts'),
        import('../../platform/http-client/running-emulator.ts'),
      ])
      const har = await recordingIn(await c.req.text())
      const { origin } = new URL(c.req.url)
      const http = createHttpClient({ wallClock })
      const token = c.req.header('authorization')?.replace(/^Bearer /i, '')
      return compareWith(har, await platformAt(origin, reachEmulator(origin, token, http), http))
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
