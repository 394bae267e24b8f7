// Representations that an owner's schema defines: the document at the root, media types, and domains with casts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runAsOwner } from '../../support/test-engine.ts'
import { type ClinicHost, NORTH, openClinicHost } from './clinic-host.ts'

let host: ClinicHost
let anonKey: string

beforeAll(async () => {
  host = await openClinicHost()
  await runAsOwner(
    host.engine,
    NORTH,
    `create domain "text/html" as text;
     create function page() returns "text/html" language sql as $$ select '<p>hi</p>'::"text/html" $$;
     create domain "image/x" as bytea;
     create function picture() returns "image/x" language sql as $$ select '\\x00ff'::bytea::"image/x" $$;
     create function hidden() returns integer language sql as 'select 1';
     revoke execute on function hidden() from public, anon`,
  )
  anonKey = (await host.keysOf(NORTH)).anonKey
})

afterAll(() => host.engine.close())

function send(target: string, accept: string, method = 'GET') {
  const headers = { authorization: `Bearer ${anonKey}`, apikey: anonKey, accept }
  return host.fetch(new Request(`http://localhost${target}`, { method, headers }))
}

describe('the document at the root', () => {
  it('lists only objects that the credential has privileges on', async () => {
    const response = await send('/', 'application/openapi+json')
    const { paths, host: server } = (await response.json()) as { paths: object; host: string }
    expect(response.headers.get('content-type')).toBe('application/openapi+json; charset=utf-8')
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/', '/clinics', '/rpc/add']))
    expect(Object.keys(paths)).not.toEqual(expect.arrayContaining(['/closed']))
    expect(Object.keys(paths)).not.toEqual(expect.arrayContaining(['/auth_users']))
    expect(Object.keys(paths)).not.toEqual(expect.arrayContaining(['/rpc/hidden']))
    expect(server).toBe('d:80')
  })

  it('answers HEAD without a body', async () => {
    const response = await send('/', '*/*', 'HEAD')
    expect([response.status, await response.text()]).toEqual([200, ''])
  })

  it('is refused in another media type', async () => {
    const response = await send('/', 'text/csv')
    expect([response.status, await response.json()]).toMatchObject([406, { code: 'PGRST107' }])
  })
})

describe('a requested media type', () => {
  it('returns the result of its function unchanged', async () => {
    const response = await send('/rpc/page', 'text/html')
    expect(response.headers.get('content-type')).toBe('text/html')
    expect(await response.text()).toBe('<p>hi</p>')
  })

  it('can consist of bytes', async () => {
    const response = await send('/rpc/picture', 'image/x')
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([0, 255]))
  })

  it('is refused without a handler', async () => {
    expect((await send('/clinics', 'image/x')).status).toBe(406)
  })

  it('can be GeoJSON without PostGIS only when there are no rows', async () => {
    const refused = await send('/clinics', 'application/geo+json')
    expect(refused.status).toBe(400)
    expect(await refused.json()).toEqual({
      code: '22023',
      message: 'geometry column is missing',
      details: null,
      hint: null,
    })
    const empty = await send('/clinics?limit=0', 'application/geo+json')
    expect(empty.headers.get('content-type')).toBe('application/geo+json; charset=utf-8')
    expect(await empty.json()).toEqual({ type: 'FeatureCollection', features: [] })
  })
})
