import { describe, expect, it } from 'vitest'
import { createControlWorld, setUpVendor } from './control-world.ts'

describe('unknown routes and methods', () => {
  it.each([
    'GET /platform/v1',
    'GET /platform/v1/nothing',
    'POST /groups/v1',
    'GET /groups/v1/grp_x/nothing',
    'GET /platform/v1/projects/x/db',
  ])('%s answers 404 not_found', async (line) => {
    const answer = await createControlWorld().send(line)
    expect(answer).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })

  it.each([
    ['PUT /platform/v1/groups', 'GET, HEAD, POST'],
    ['GET /platform/v1/session', 'POST'],
    ['POST /groups/v1/grp_x/tenants/north', 'GET, HEAD, DELETE'],
    ['DELETE /groups/v1/grp_x/template/publish', 'POST'],
  ])('%s answers 405 and allows %s', async (line, allowed) => {
    const answer = await createControlWorld().send(line)
    expect(answer).toMatchObject({ status: 405, body: { error: { code: 'method_not_allowed' } } })
    expect(answer.headers.get('allow')).toBe(allowed)
  })
})

describe('credentials of platform routes', () => {
  it.each([
    'GET /platform/v1/groups',
    'POST /platform/v1/groups',
    'GET /platform/v1/groups/grp_x',
    'GET /platform/v1/projects',
    'POST /platform/v1/projects/x/db/exec',
    'GET /platform/v1/projects/x/buckets',
    'POST /platform/v1/projects/x/keys/regenerate',
  ])('%s answers 401 without a credential', async (line) => {
    const answer = await createControlWorld().send(line)
    expect(answer).toMatchObject({
      status: 401,
      body: { error: { code: 'unauthorized', message: 'No credential was sent.' } },
    })
  })

  it('refuses a Group API Key', async () => {
    const world = createControlWorld()
    const { groupKey } = await setUpVendor(world)
    const answer = await world.send('GET /platform/v1/groups', groupKey)
    expect(answer.status).toBe(401)
  })

  it('refuses the session of a deleted account', async () => {
    const answer = await createControlWorld().send('GET /platform/v1/groups', 'session.nobody')
    expect(answer.status).toBe(401)
  })
})

describe('bodies', () => {
  it.each([
    ['', 'invalid_json'],
    ['{"slug": ', 'invalid_json'],
    ['slug=north', 'invalid_json'],
    [new Uint8Array([0x7b, 0xff, 0x7d]), 'invalid_json'],
    ['[]', 'invalid_request'],
    ['"north"', 'invalid_request'],
    ['null', 'invalid_request'],
    ['7', 'invalid_request'],
    [
      `{"slug":"north","metadata":{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`,
      'invalid_request',
    ],
  ])('%s is refused with 400 %s', async (body, code) => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const answer = await world.send(`POST ${tenants}`, groupKey, body)
    expect(answer).toMatchObject({ status: 400, body: { error: { code } } })
  })

  it('over one megabyte are refused with 413', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const answer = await world.send(`POST ${tenants}`, groupKey, {
      slug: 'north',
      metadata: { text: 'x'.repeat(1_048_576) },
    })
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'payload_too_large' } } })
  })

  it('of just under one megabyte are stored', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    const answer = await world.send(`POST ${tenants}`, groupKey, {
      slug: 'north',
      metadata: { text: 'x'.repeat(1_048_000) },
    })
    expect(answer.status).toBe(201)
  })

  it('keep a member named __proto__ unchanged', async () => {
    const world = createControlWorld()
    const { tenants, groupKey } = await setUpVendor(world)
    await world.send(
      `POST ${tenants}`,
      groupKey,
      '{"slug":"north","metadata":{"__proto__":{"isAdmin":true}}}',
    )
    const answer = await world.send(`GET ${tenants}/north`, groupKey)
    expect(JSON.stringify(answer.body.metadata)).toBe('{"__proto__":{"isAdmin":true}}')
  })
})

describe('renderInternal', () => {
  it('returns a generic error with the trace', async () => {
    const { createControlApp } = await import('../../../emulator/services/control/app.ts')
    const rendered = createControlApp(createControlWorld().deps).renderInternal('req_9')
    expect(JSON.parse(rendered.body ?? '')).toEqual({
      error: { code: 'internal', message: expect.any(String) },
      trace: 'req_9',
    })
  })
})
