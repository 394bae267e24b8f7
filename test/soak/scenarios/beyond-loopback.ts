// Attacks the management plane of an emulator that listens beyond loopback, with a publicly known password and from a page of
// another origin.
import { join } from 'node:path'
import { killProduct, startProduct } from '../product.ts'
import { requireThat, type Scenario, withFolder } from '../scenario.ts'

const ADMIN_TOKEN = 'soak-admin-token-0123456789'
/** The password of earlier versions, which was the same in every installation. */
const PUBLIC_PASSWORD = 'tenantry-dev'

export const beyondLoopback: Scenario = {
  name: 'beyond-loopback',
  title: 'a foreign page and a stranger on the network sign in to the management plane',
  run: () =>
    withFolder(async (folder) => {
      const product = await startProduct({
        dataDir: join(folder, 'data'),
        args: ['--host', '0.0.0.0', '--admin-token', ADMIN_TOKEN],
      })
      try {
        const { email, password } = product.ready.platform
        const url = product.url.replace(/\/\/[^:/]+/, '//127.0.0.1')
        const signIn = (given: string, headers: Readonly<Record<string, string>> = {}) =>
          fetch(`${url}/platform/v1/session`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', ...headers },
            body: JSON.stringify({ email, password: given }),
          })
        const byDefault = await signIn(PUBLIC_PASSWORD)
        requireThat(byDefault.status >= 400, 'the public password of earlier versions signs in')
        const stranger = await signIn(password)
        requireThat(stranger.status >= 400, 'the account signs in without the admin token')
        const foreign = await signIn(password, { origin: 'https://evil.example' })
        requireThat(
          foreign.status === 403 && !foreign.headers.has('access-control-allow-origin'),
          `a foreign page gets ${foreign.status} from /platform/v1/session`,
        )
        const info = await fetch(`${url}/_emulator/v1/info`)
        requireThat(
          info.status === 401,
          `/_emulator/v1/info answers ${info.status} without a token`,
        )
        return { figures: '4 requests refused' }
      } finally {
        await killProduct(product)
      }
    }),
}
