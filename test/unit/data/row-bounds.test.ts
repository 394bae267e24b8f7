// Conditions on the number of affected rows, with a real tenant. A write that violates a condition is undone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, openAsk } from './open-ask.ts'

let tenant: Asked

beforeAll(async () => {
  tenant = await openAsk(`create table things (id int primary key, name text);
insert into things values (1, 'a'), (2, 'b'), (3, 'c');`)
})

afterAll(() => tenant.close())

const SINGLE = 'application/vnd.pgrst.object+json'

function change(filter: string, prefer: string, accept = '*/*') {
  return tenant.ask(`/things?${filter}`, {
    method: 'PATCH',
    headers: { prefer: `return=representation, ${prefer}`, accept },
    body: { name: 'changed' },
  })
}

async function names(): Promise<unknown> {
  return (await tenant.ask('/things?select=name&order=id')).json
}

describe('max-affected', () => {
  it('rolls back a change that affects more rows', async () => {
    const answer = await change('id=gt.1', 'handling=strict, max-affected=1')
    expect([answer.status, answer.json, await names()]).toMatchObject([
      400,
      { code: 'PGRST124', details: 'The query affects 2 rows' },
      [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    ])
  })

  it('applies to a request for a single object, too', async () => {
    const answer = await change('id=eq.1', 'handling=strict, max-affected=0', SINGLE)
    expect([answer.status, answer.json, await names()]).toMatchObject([
      400,
      { code: 'PGRST124', details: 'The query affects 1 rows' },
      [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
    ])
  })

  it('is applied after the check for a single object', async () => {
    const answer = await change('id=gt.0', 'handling=strict, max-affected=1', SINGLE)
    expect([answer.status, answer.json]).toMatchObject([406, { code: 'PGRST116' }])
  })
})
