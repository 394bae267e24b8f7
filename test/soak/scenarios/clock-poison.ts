// Moves the platform clock repeatedly to the end of time. The emulator's API must still answer, also after a restart.
import { join } from 'node:path'
import { killProduct, requireRunning, startProduct } from '../product.ts'
import { requireThat, type Scenario, withFolder, withSite } from '../scenario.ts'

const STEP_MILLIS = 3.1e14
const STEPS = 40

export const clockPoison: Scenario = {
  name: 'clock-poison',
  title: `the clock advances by 9,800 years ${STEPS} times`,
  run: () =>
    withFolder(async (folder) => {
      const dataDir = join(folder, 'data')
      const refused = await withSite('', { dataDir }, async ({ product }) => {
        let count = 0
        for (let step = 0; step < STEPS; step += 1) {
          const body = { advance_ms: step % 4 === 3 ? -STEP_MILLIS * 2 : STEP_MILLIS }
          const { status, text } = await product.call('POST', '/_emulator/v1/clock', { body })
          requireThat(status < 500, `the clock answers ${status}: ${text}`)
          if (status >= 400) count += 1
        }
        await requireReadable(product.call)
        await product.call('POST', '/_emulator/v1/clock', { body: { reset: true } })
        requireRunning(product)
        return count
      })
      const product = await startProduct({ dataDir })
      try {
        await requireReadable(product.call)
      } finally {
        await killProduct(product)
      }
      return { figures: `${refused} of ${STEPS} moves refused, the journal is readable` }
    }),
}

async function requireReadable(
  call: Awaited<ReturnType<typeof startProduct>>['call'],
): Promise<void> {
  for (const path of ['/journal', '/health', '/overview', '/mailbox', '/clock']) {
    const { status, text } = await call('GET', `/_emulator/v1${path}`)
    requireThat(status === 200, `${path} answers ${status}: ${text.slice(0, 300)}`)
  }
}
