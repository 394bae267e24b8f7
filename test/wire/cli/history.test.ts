// `tenantry history`, `tenantry undo` and `tenantry sql --at` against a running emulator.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../support/cli-run.ts'
import { openPastTenant, type PastTenant } from '../../support/past-tenant.ts'

let past: PastTenant
beforeAll(async () => {
  past = await openPastTenant(
    'create table rooms (id integer primary key, name text, seats integer)',
  )
})
afterAll(() => past[Symbol.asyncDispose]())

const tenantry = (...args: readonly string[]) => runCli([...args, '--url', past.at.url]).ended
const names = async () => (await past.ask('select name from rooms order by id')).results[0]?.rows

describe('tenantry history', () => {
  it('lists who changed a row, with old and new values', async () => {
    const made = await past.request('POST', '/rooms', { id: 1, name: 'Red', seats: null })
    const changed = await past.request('PATCH', '/rooms?id=eq.1', { name: 'Blue' })
    const { code, stdout } = await tenantry('history', 'rooms', '1')
    const lines = stdout.replaceAll(/^\d+ {2}\S+Z {2}/gm, '').split('\n')
    expect(lines).toEqual([
      `UPDATE rooms id=1  by service_role, request ${changed}`,
      '    name: Red → Blue',
      `INSERT rooms id=1  by service_role, request ${made}`,
      '    id: 1',
      '    name: Red',
      '',
    ])
    expect(code).toBe(0)
  })

  it('prints the answer of the API with --json', async () => {
    const { stdout } = await tenantry('history', '--json', '--limit', '1')
    expect(JSON.parse(stdout)).toMatchObject({ changes: [{ kind: 'UPDATE' }], has_more: true })
  })
})

describe('tenantry sql --at', () => {
  it('prints the rows just before a request', async () => {
    const request = await past.request('PATCH', '/rooms?id=eq.1', { name: 'Green' })
    const { code, stdout } = await tenantry('sql', 'select name from rooms', '--at', request)
    expect([code, stdout]).toEqual([0, 'name\nBlue\n(1 row)\n'])
  })
})

describe('tenantry undo', () => {
  it('shows what it would change, and changes nothing without --yes', async () => {
    const request = await past.request('PATCH', '/rooms?id=eq.1', { name: 'Black' })
    const { code, stdout } = await tenantry('undo', request)
    expect(stdout).toBe(`Undoing 1 change would change 1 row:
  change back rooms id=1
      name: Black → Green
Nothing was changed. Pass --yes to do it.
`)
    expect([code, await names()]).toEqual([0, [['Black']]])
  })

  it('takes a request back with --yes', async () => {
    const request = await past.request('PATCH', '/rooms?id=eq.1', { name: 'White' })
    const { code, stdout } = await tenantry('undo', request, '--yes')
    expect(stdout.split('\n').at(-2)).toBe('Undone: 1 change.')
    expect([code, await names()]).toEqual([0, [['Black']]])
  })

  it('ends with exit code 1 and names the later request that prevents the undo', async () => {
    const request = await past.request('PATCH', '/rooms?id=eq.1', { name: 'Pink' })
    const later = await past.request('PATCH', '/rooms?id=eq.1', { name: 'Grey' })
    const { code, stdout } = await tenantry('undo', request, '--yes')
    expect(stdout).toContain(`A later change concerns the same row of rooms. (id=1, change `)
    expect(stdout).toContain(`request ${later})`)
    expect([code, await names()]).toEqual([1, [['Grey']]])
  })
})

describe('tenantry snapshot compare', () => {
  it('names the requests of each row that differs', async () => {
    await tenantry('snapshot', 'save', 'before')
    const request = await past.request('PATCH', '/rooms?id=eq.1', { seats: 4 })
    const { code, stdout } = await tenantry('snapshot', 'compare', 'before')
    expect(stdout.replaceAll(/\d{4}-\S+Z/g, '…')).toBe(`proj_past changed
  rooms  +0 -0 ~1
    ~ id=1, seats: null → "4"
        …  ${request} PATCH /rooms?id=eq.1  by service_role
`)
    expect(code).toBe(0)
  })
})
