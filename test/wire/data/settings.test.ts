// Settings of the transaction and of the answer that a tenant's functions change (PostgREST, "Isolation Level", "Hoisted
// Function Settings", "Transaction End", "RAISE errors with HTTP Status Codes").
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createGroup,
  provisionTenant,
  startTestEmulator,
  type TestEmulator,
  type TestTenant,
} from '../../support/test-emulator.ts'

const SQL = `
  create table marks (id int primary key);
  create function level() returns text language sql as $$select current_setting('transaction_isolation')$$;
  create function strict_level() returns text language sql set default_transaction_isolation = 'serializable' as
    $$select current_setting('transaction_isolation')$$;
  create function hurried() returns void language plpgsql set statement_timeout = '150ms' as
    $$begin perform pg_sleep(5); end$$;
  create function narrow() returns text language sql set work_mem = '128kB' as $$select current_setting('work_mem')$$;
  create function heard(name text) returns json language sql as $$select current_setting(name)::json$$;
  create function pay() returns void language plpgsql as
    $$begin raise sqlstate 'PT402' using message = 'Pay at the desk', detail = 'quota'; end$$;
  create function brew() returns void language plpgsql as $body$
    begin
      raise sqlstate 'PGRST' using
        message = '{"code": "tea", "message": "Short and stout", "hint": "Tip me over"}',
        detail = '{"status": 418, "status_text": "I am a teapot", "headers": {"X-Tea": "green"}}';
    end $body$;
  create function misbrew(message text) returns void language plpgsql as
    $$begin raise sqlstate 'PGRST' using message = message, detail = '{"status": 418, "headers": {}}'; end$$;
`

let at: TestEmulator
let tenant: TestTenant

beforeAll(async () => {
  at = await startTestEmulator()
  tenant = await provisionTenant(at, await createGroup(at, 'settings', { sql: SQL }), 'own')
})
afterAll(() => at.emulator.close())

function ask(method: string, path: string, prefer?: string): Promise<Response> {
  return fetch(at.url + path, {
    method,
    headers: {
      authorization: `Bearer ${tenant.serviceRoleKey}`,
      apikey: tenant.anonKey,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      ...(prefer === undefined ? {} : { prefer }),
    },
    ...(method === 'POST' ? { body: path === '/marks' ? '{"id": 1}' : '{}' } : {}),
  })
}

describe('a function', () => {
  it.each([
    ['level', 'read committed'],
    ['strict_level', 'serializable'],
  ])('named %s runs at isolation level %s', async (name, level) => {
    const answer = await ask('POST', `/rpc/${name}`)
    expect(await answer.json()).toBe(level)
  })

  it('is stopped at its own statement_timeout', async () => {
    const answer = await ask('POST', '/rpc/hurried')
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({
      code: '57014',
      message: 'canceling statement due to statement timeout',
      details: null,
      hint: null,
    })
  })

  it('runs with the settings of its SET clause', async () => {
    expect(await (await ask('POST', '/rpc/narrow')).json()).toBe('128kB')
  })

  it('sets status and reason phrase by raising SQLSTATE PT402', async () => {
    const answer = await ask('POST', '/rpc/pay')
    expect([answer.status, answer.statusText]).toEqual([402, 'Pay at the desk'])
    expect(await answer.json()).toEqual({
      code: 'PT402',
      message: 'Pay at the desk',
      details: 'quota',
      hint: null,
    })
  })

  it('sets the whole answer by raising SQLSTATE PGRST', async () => {
    const answer = await ask('POST', '/rpc/brew')
    expect([answer.status, answer.statusText]).toEqual([418, 'I am a teapot'])
    expect(answer.headers.get('x-tea')).toBe('green')
    expect(answer.headers.get('proxy-status')).toBe('PostgREST; error=tea')
    expect(await answer.text()).toBe(
      '{"code":"tea","details":null,"hint":"Tip me over","message":"Short and stout"}',
    )
  })

  it.each(['no json', '{"code": "a"}', '{"code": "a", "message": "b", "details": 1}'])(
    'is answered with PGRST121 when it raises PGRST with the message %s',
    async (message) => {
      const answer = await ask('GET', `/rpc/misbrew?message=${encodeURIComponent(message)}`)
      expect([answer.status, answer.statusText]).toEqual([500, 'Internal Server Error'])
      expect(await answer.json()).toMatchObject({
        code: 'PGRST121',
        details: `Invalid JSON value for MESSAGE: '${message}'`,
      })
    },
  )
})

describe('a function’s view of the request', () => {
  async function heard(name: string, headers: Record<string, string>) {
    const answer = await fetch(`${at.url}/rpc/heard?name=request.${name}`, {
      headers: {
        authorization: `Bearer ${tenant.serviceRoleKey}`,
        apikey: tenant.anonKey,
        ...headers,
      },
    })
    return answer.json()
  }

  it('reads headers as UTF-8', async () => {
    const bytes = Buffer.from('olá ✓').toString('latin1')
    expect(await heard('headers', { 'x-word': bytes })).toMatchObject({ 'x-word': 'olá ✓' })
  })

  it('contains each cookie by its name, and no cookie header', async () => {
    const cookie = 'a=1; b="two=2";flag; =x; '
    expect(await heard('cookies', { cookie })).toEqual({ a: '1', b: '"two=2"', flag: '', '': 'x' })
    expect(await heard('headers', { cookie })).not.toHaveProperty('cookie')
    expect(await heard('cookies', {})).toEqual({})
  })
})

describe('the end of a transaction', () => {
  it('is a rollback if the request prefers one, and a commit otherwise', async () => {
    const undone = await ask('POST', '/marks', 'tx=rollback')
    expect([undone.status, undone.headers.get('preference-applied')]).toEqual([201, 'tx=rollback'])
    expect(await (await ask('GET', '/marks')).json()).toEqual([])
    const kept = await ask('POST', '/marks', 'tx=commit')
    expect([kept.status, kept.headers.get('preference-applied')]).toEqual([201, 'tx=commit'])
    expect(await (await ask('GET', '/marks')).json()).toEqual([{ id: 1 }])
  })
})
