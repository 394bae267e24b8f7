import { describe, expect, it } from 'vitest'
import { seedDeveloper } from '../../../../emulator/services/control/accounts/accounts.ts'
import { createControlWorld } from '../control-world.ts'

const login = { email: 'dev@tenantry.test', password: 'open sesame' }

describe('POST /platform/v1/session', () => {
  it('answers a session token of twelve hours for the seeded developer', async () => {
    const world = createControlWorld()
    const owner = await seedDeveloper(world.deps, login)
    const answer = await world.send('POST /platform/v1/session', undefined, login)
    expect(answer.body).toEqual({
      session_token: `session.${owner.id}`,
      expires_in: 43_200,
      user: { id: owner.id, email: login.email, created_at: '2026-09-01T00:00:00.000Z' },
    })
  })

  it('compares e-mail addresses without case', async () => {
    const world = createControlWorld()
    await seedDeveloper(world.deps, login)
    const answer = await world.send('POST /platform/v1/session', undefined, {
      ...login,
      email: 'DEV@Tenantry.test',
    })
    expect(answer.status).toBe(200)
  })

  it.each([
    ['a wrong password', { ...login, password: 'no' }],
    ['an unknown address', { ...login, email: 'nobody@example.test' }],
  ])('refuses %s with the same 401', async (_what, body) => {
    const world = createControlWorld()
    await seedDeveloper(world.deps, login)
    const answer = await world.send('POST /platform/v1/session', undefined, body)
    expect(answer).toMatchObject({ status: 401, body: { error: { code: 'unauthorized' } } })
  })

  it('accepts the new password after the developer account was seeded again', async () => {
    const world = createControlWorld()
    await seedDeveloper(world.deps, { ...login, password: 'before' })
    await seedDeveloper(world.deps, login)
    const answer = await world.send('POST /platform/v1/session', undefined, login)
    expect(answer.status).toBe(200)
  })
})

describe('POST /platform/v1/signup', () => {
  it('creates an account that can log in', async () => {
    const world = createControlWorld()
    const body = { email: 'ana@example.test', password: 'correct horse' }
    await world.send('POST /platform/v1/signup', undefined, body)
    const answer = await world.send('POST /platform/v1/session', undefined, body)
    expect(answer.status).toBe(200)
  })

  it('answers 409 for an address that has an account, also for two requests at once', async () => {
    const world = createControlWorld()
    const body = { email: 'ana@example.test', password: 'correct horse' }
    const answers = await Promise.all([
      world.send('POST /platform/v1/signup', undefined, body),
      world.send('POST /platform/v1/signup', undefined, { ...body, email: 'ANA@example.test' }),
    ])
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409])
  })

  it('names each field that is wrong', async () => {
    const world = createControlWorld()
    const answer = await world.send('POST /platform/v1/signup', undefined, {
      email: 'nobody',
      password: 7,
    })
    expect(answer.body).toMatchObject({
      error: { code: 'invalid_request' },
      details: { email: 'must be an e-mail address', password: expect.any(String) },
    })
  })
})
