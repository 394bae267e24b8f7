// The history of the platform's tables in a project's schema, which contain users and secrets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPastTenant, type PastTenant } from '../../../support/past-tenant.ts'

const PASSWORD = 'correct horse battery'

let past: PastTenant
beforeAll(async () => {
  past = await openPastTenant('create table notes (id integer primary key, body text)')
})
afterAll(() => past[Symbol.asyncDispose]())

async function signUp(email: string): Promise<string> {
  const answer = await past.at.call('POST', '/auth/v1/signup', {
    headers: { apikey: past.tenant.anonKey },
    body: { email, password: PASSWORD },
  })
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.headers.get('x-request-id') ?? ''
}

describe('the history of users', () => {
  it('names the request that made a user', async () => {
    const request = await signUp('ana@example.com')
    const { changes } = await past.history(`table=auth_users&request_id=${request}`)
    expect(changes.slice(-1)).toMatchObject([
      {
        kind: 'INSERT',
        columns: { email: [null, 'ana@example.com'], role: [null, 'authenticated'] },
      },
    ])
  })

  it('shows that a secret changed, and not the secret', async () => {
    const request = await signUp('bo@example.com')
    const { changes } = await past.history(`request_id=${request}`)
    const secrets = changes.flatMap(({ columns, table }) =>
      Object.entries(columns)
        .filter(([name]) => /hash|replacement|secret|facts/.test(name))
        .map(([name, [, fresh]]) => `${table}.${name} ${fresh}`),
    )
    expect(secrets).toContain('auth_credentials.password_hash [masked]')
    expect(secrets.filter((line) => !/ "?\[masked\]"?$/.test(line))).toEqual([])
  })

  it('is not undone: users stay, and the answer says so', async () => {
    const request = await signUp('cy@example.com')
    await expect(past.undo({ request_id: request, apply: true })).rejects.toThrow(
      /Changes of auth_credentials, .*auth_users are not undone/,
    )
  })

  it('is left out of an undo of everything since an instant', async () => {
    const before = (await past.lastSequence()) + 1
    await signUp('di@example.com')
    await past.request('POST', '/notes', { id: 1, body: 'gone' })
    const { is_applied, notes } = await past.undo({ since: String(before), apply: true })
    expect([is_applied, notes]).toEqual([true, [expect.stringMatching(/auth_users/)]])
    const { results } = await past.ask(
      'select (select count(*) from notes), (select count(*) from auth_users)',
    )
    expect(results[0]?.rows).toEqual([['0', '4']])
  })

  it('is not part of past rows, which say so', async () => {
    const before = (await past.lastSequence()) + 1
    await signUp('ed@example.com')
    const { past: state } = await past.ask('select 1', String(before))
    expect(state?.gaps).toEqual(['auth_users is shown as it is now.'])
  })

  it('cannot be switched off or seen by the owner', async () => {
    const { results } = await past.ask(
      `select count(*) from pg_trigger where tgrelid = 'auth_users'::regclass and not tgisinternal`,
    )
    expect(results[0]?.rows).toEqual([['0']])
  })
})
