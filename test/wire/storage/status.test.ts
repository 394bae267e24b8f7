// Status requests of monitoring tools to the storage service, without a credential.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type StorageWorld, startStorageWorld } from '../../support/storage-world.ts'

let world: StorageWorld
beforeAll(async () => {
  world = await startStorageWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('the storage service', () => {
  it('answers /status with 200 and no body', async () => {
    const { status, text } = await world.ask('GET', '/status', { role: null })
    expect([status, text]).toEqual([200, ''])
  })

  it('names the release at /version', async () => {
    const overview = await world.at.call('GET', '/_emulator/v1/overview')
    const { status, text, headers } = await world.ask('GET', '/version', { role: null })
    expect([status, text]).toEqual([200, overview.body.version])
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
  })

  it('answers HEAD at /status and /version', async () => {
    for (const path of ['/status', '/version'])
      expect((await world.ask('HEAD', path, { role: null })).status).toBe(200)
  })
})
