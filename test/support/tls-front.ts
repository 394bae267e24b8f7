// Serves an emulator over TLS, as the hosted platform is served. The certificate in tls/ is self-signed for this machine. The
// certificate was made with `openssl req -x509` and is valid until 2126.
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { resolve } from 'node:path'
import { createServer } from 'node:tls'
import { startTestEmulator, type TestEmulator } from './test-emulator.ts'

/** Programs trust the server when `NODE_EXTRA_CA_CERTS` contains this path. */
export const CERTIFICATE = resolve('test/support/tls/certificate.pem')

export interface SecureEmulator {
  readonly at: TestEmulator
  /** The emulator's address with the scheme `https`. */
  readonly url: string
  [Symbol.asyncDispose](): Promise<void>
}

export async function startSecureEmulator(): Promise<SecureEmulator> {
  let target = 0
  const front = createServer(
    { cert: readFileSync(CERTIFICATE), key: readFileSync(resolve('test/support/tls/key.pem')) },
    (client) => {
      const server = connect(target, '127.0.0.1')
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const)
        one.on('error', () => other.destroy()).pipe(other)
    },
  )
  await new Promise<void>((listening) => front.listen(0, '127.0.0.1', listening))
  const bound = front.address()
  if (bound === null || typeof bound === 'string') throw new Error('the front has no port')
  const url = `https://127.0.0.1:${bound.port}`
  const at = await startTestEmulator({ publicUrl: url })
  target = Number(new URL(at.url).port)
  return {
    at,
    url,
    [Symbol.asyncDispose]: async () => {
      front.close()
      await at[Symbol.asyncDispose]()
    },
  }
}
