// The documents state which operations need a credential. Requests without a credential check this.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { operationsOf } from '../../support/openapi-document.ts'
import type { Json, TestEmulator } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

let at: TestEmulator
beforeAll(async () => {
  at = await workerEmulator()
})
afterAll(() => at[Symbol.asyncDispose]())

const MISSING = /authorization|credential|name a project|'token'/i

/** Operations that the test cannot check. `fetch` opens no WebSocket, and TUS checks the upload before the credential. */
const CANNOT_TELL = /^\/websocket|^\/upload\/resumable/

interface Visit {
  readonly id: string
  readonly needsCredential: boolean
  readonly answer: string
}

/** Sends each operation without body and credential. */
async function visit(plane: string): Promise<readonly Visit[]> {
  const { body: document } = await at.call<Json>('GET', `/_emulator/v1/openapi/${plane}`)
  const operations = operationsOf(document).filter(({ path }) => !CANNOT_TELL.test(path))
  const visits = operations.map(async ({ method, path, operation }) => {
    const [{ url }] = document.paths[path].servers ?? document.servers
    const address = url + path.replace(/\{\w+\}/g, 'x')
    const response = await fetch(address, { method, redirect: 'manual' })
    return {
      id: operation.operationId,
      needsCredential: !operation.security.some((one: object) => Object.keys(one).length === 0),
      answer: `${response.status} ${await response.text()}`,
    }
  })
  return Promise.all(visits)
}

it.each(['management', 'auth', 'storage', 'realtime'])(
  '%s refuses a request without a credential exactly where the document requires a credential',
  async (plane) => {
    const visits = await visit(plane)
    const isRefused = (answer: string): boolean => /^40[13]/.test(answer) || MISSING.test(answer)
    expect(visits.length).toBeGreaterThan(2)
    expect(
      visits.filter(({ answer, needsCredential }) => isRefused(answer) !== needsCredential),
    ).toEqual([])
  },
)
