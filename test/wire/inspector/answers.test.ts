// Real answers have the shape that emulator/contract states; nothing validates them in the product.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../../../emulator/contract/operations.ts'
import { type AuthWorld, startAuthWorld } from '../../support/auth-world.ts'

let world: AuthWorld
beforeAll(async () => {
  world = await startAuthWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

/** GET operations whose only parameter is the project. */
const READS = Object.entries(OPERATIONS).filter(
  ([name, { answer }]) => /^GET [^:]*(:ref[^:]*)?$/.test(name) && answer instanceof z.ZodType,
)

it.each(READS)('%s returns an answer that matches its schema', async (name, { answer }) => {
  const path = name.replace('GET ', '').replace(':ref', world.tenant.slug)
  const query: Record<string, string> = {
    'GET /projects/:ref/structure-diff': `?with=${world.group.templateSlug}`,
    'GET /mailbox/next': '?timeout_ms=0',
  }
  const { status, body } = await world.at.call('GET', `/_emulator/v1${path}${query[name] ?? ''}`)

  expect(status).toBeLessThan(300)
  if (status !== 204) expect((answer as z.ZodType).safeParse(body).error).toBeUndefined()
})
