// GET /_emulator/v1/clock/expiries and /storage: the next expiries, and the stored data of projects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ExpiryList } from '../../../emulator/contract/clock.ts'
import { type StateWorld, startStateWorld } from '../../support/state-world.ts'

let world: StateWorld
beforeAll(async () => {
  world = await startStateWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

const coming = (limit = 200): Promise<ExpiryList> =>
  world.api('GET', `/clock/expiries?limit=${limit}`)
const kinds = async (): Promise<readonly string[]> =>
  (await coming()).expiries.map(({ kind }) => kind)

describe('the used storage', () => {
  it('is listed by project and bucket with the quota, the largest first', async () => {
    const bucket = await world.freshBucket()
    await world.put(bucket, 'a.txt', 'four')
    await world.put(bucket, 'b.txt', 'sixsix')
    const { projects } = await world.api('GET', '/storage')
    expect(projects[0]).toMatchObject({ slug: world.tenant.slug, kind: 'tenant', bytes: 10 })
    expect(projects[0].buckets[0]).toEqual({ bucket, bytes: 10, objects: 2 })
  })
})

describe('the coming expiries', () => {
  it('contain tokens, codes and signed URLs, soonest first, without secrets', async () => {
    await world.api('POST', '/clock', { freeze: true })
    const session = await world.signUp('ana@example.com')
    await world.at.call('POST', '/auth/v1/otp/send', {
      headers: { apikey: world.tenant.anonKey },
      body: { email: 'ana@example.com' },
    })
    const bucket = await world.freshBucket()
    await world.put(bucket, 'a.txt', 'x')
    const { body: signed } = await world.ask('POST', `/object/sign/${bucket}/a.txt`, {
      body: { expiresIn: 60 },
    })
    const { expiries, now, total } = await coming()
    expect(total).toBe(expiries.length)
    expect(expiries[0]).toEqual({
      at: new Date(Math.floor(Date.parse(now) / 1_000) * 1_000 + 60_000).toISOString(),
      kind: 'signed_url',
      count: 1,
      schema_name: null,
      subject: null,
      detail: `${bucket}/a.txt`,
    })
    const times = expiries.map(({ at }) => at)
    expect(times).toEqual(times.toSorted())
    expect(expiries).toEqual(
      expect.arrayContaining(
        ['data_plane_token', 'access_token', 'one_time_code'].map((kind) =>
          expect.objectContaining({
            kind,
            schema_name: world.tenant.schemaName,
            subject: 'ana@example.com',
          }),
        ),
      ),
    )
    const text = JSON.stringify(expiries)
    for (const secret of [session.access_token, session.data_plane_token, signed.signedURL])
      expect(text).not.toContain(String(secret).split('.').at(-1))
    // A realtime token contains only the user's id, so the emulator looks up the e-mail address.
    await world.at.call('POST', '/rt/v1/token', { credential: session.data_plane_token })
    expect((await coming()).expiries).toContainEqual(
      expect.objectContaining({ kind: 'realtime_token', subject: 'ana@example.com' }),
    )
    expect((await coming(1)).expiries).toEqual(expiries.slice(0, 1))
    expect((await coming(1)).total).toBe(total + 1)
  })

  it('disappear when the clock has passed the instants, and appear again when the clock is set back', async () => {
    expect(await kinds()).toContain('one_time_code')
    await world.api('POST', '/clock', { advance_ms: 11 * 60_000 })
    const later = await kinds()
    expect(later).not.toContain('one_time_code')
    expect(later).not.toContain('signed_url')
    expect(later).toContain('data_plane_token')
    await world.api('POST', '/clock', { advance_ms: -11 * 60_000 })
    expect(await kinds()).toContain('signed_url')
  })

  it('contain one developer session, however often a page calls /info', async () => {
    const tokenOf = async () => (await world.api('GET', '/info')).platform.session_token
    const first = await tokenOf()
    const before = await coming()
    expect(await tokenOf()).toBe(first)
    expect((await coming()).expiries).toEqual(before.expiries)
    await world.api('POST', '/clock', { advance_ms: 7 * 3_600_000 })
    expect(await tokenOf()).not.toBe(first)
  })

  it('leave out the tokens that the inspector issues for its own requests', async () => {
    await world.api('POST', '/clock', { reset: true })
    const before = (await coming()).total
    const sign = (headers: object) =>
      world.at.call('POST', '/st/v1/token', {
        credential: world.tenant.anonKey,
        headers: { ...headers },
      })
    await sign({ 'x-tenantry-inspector': '1' })
    await world.api('POST', `/projects/${world.tenant.slug}/audit`, {})
    await world.api('GET', '/openapi.json')
    expect((await coming()).total).toBe(before)
    await sign({})
    expect(await kinds()).toContain('storage_token')
  })
})

describe('the receipt of a clock move', () => {
  const receipt = () => world.at.call('GET', '/_emulator/v1/clock/receipt')

  it('lists what expired because of the move, until the clock is moved back', async () => {
    await world.api('POST', '/clock', { reset: true })
    await world.api('POST', '/clock', { freeze: true })
    expect((await receipt()).status).toBe(204)
    const { now } = await world.api('GET', '/clock')
    await world.signUp('bia@example.com')
    await world.api('POST', '/clock', { advance_ms: 2 * 3_600_000 })
    const { body } = await receipt()
    expect(body).toMatchObject({
      from: now,
      to: new Date(Date.parse(now) + 2 * 3_600_000).toISOString(),
    })
    expect(body.expired).toContainEqual(
      expect.objectContaining({ kind: 'data_plane_token', subject: 'bia@example.com', count: 1 }),
    )
    const counts = body.expired.map(({ count }: { count: number }) => count)
    expect(body.total).toBe(counts.reduce((sum: number, count: number) => sum + count, 0))
    await world.api('POST', '/clock', { advance_ms: 1_000 })
    expect((await receipt()).body).toMatchObject({ total: 0, expired: [] })
    await world.api('POST', '/clock', { advance_ms: -1_000 })
    expect((await receipt()).status).toBe(204)
  })
})
