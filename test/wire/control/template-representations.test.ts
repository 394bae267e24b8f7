// A template's domain representations and media type handlers work in its tenants (the PostgREST manual, "Domain Representations"
// and "Media Type Handlers"; docs/wire/platform.md#publish).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Answer, CallOptions, Json, TestEmulator } from '../../support/test-emulator.ts'
import { createGroup, provisionTenant } from '../../support/test-emulator.ts'
import { workerEmulator } from '../../support/worker-emulator.ts'

const COLORS = `
  create domain color as integer check (value between 0 and 16777215);
  create function color_json(color) returns json language sql immutable as
    $$ select to_json('#' || lpad(to_hex($1), 6, '0')) $$;
  create function color_of(text) returns color language sql immutable as
    $$ select ('x' || lpad(substr($1, 2), 8, '0'))::bit(32)::integer::color $$;
  create function color_of(json) returns color language sql immutable as
    $$ select color_of($1 #>> '{}') $$;
  create cast (color as json) with function color_json(color) as implicit;
  create cast (text as color) with function color_of(text) as implicit;
  create cast (json as color) with function color_of(json) as implicit;
  create table shades (id integer primary key, tone color);
  create domain "text/plain" as text;
  create function shout(name text) returns "text/plain" language sql as $$ select upper(name) $$;
`

let at: TestEmulator
let ask: (method: string, path: string, options?: CallOptions) => Promise<Answer<Json>>

beforeAll(async () => {
  at = await workerEmulator()
  const tenant = await provisionTenant(at, await createGroup(at, 'colors', { sql: COLORS }), 'red')
  ask = (method, path, options = {}) =>
    at.call(method, path, {
      ...options,
      credential: tenant.serviceRoleKey,
      headers: { apikey: tenant.anonKey, ...options.headers },
    })
  await ask('POST', '/shades', { body: [{ id: 1, tone: '#0000ff' }] })
})
afterAll(() => at[Symbol.asyncDispose]())

describe('a tenant of a template with casts', () => {
  it('converts a domain’s value from and to JSON with the template’s functions', async () => {
    const answer = await ask('GET', '/shades')
    expect(answer.body).toEqual([{ id: 1, tone: '#0000ff' }])
  })

  it('converts a domain’s value in a filter', async () => {
    const answer = await ask('GET', '/shades?tone=eq.%230000ff&select=id')
    expect(answer.body).toEqual([{ id: 1 }])
  })

  it('converts the values that a write returns', async () => {
    const headers = { prefer: 'return=representation' }
    const answer = await ask('POST', '/shades', { body: { id: 2, tone: '#00ff00' }, headers })
    expect(answer.body).toEqual([{ id: 2, tone: '#00ff00' }])
  })

  it('answers in a media type that the template defines', async () => {
    const answer = await ask('GET', '/rpc/shout?name=red', { headers: { accept: 'text/plain' } })
    expect(answer.text).toBe('RED')
  })
})
