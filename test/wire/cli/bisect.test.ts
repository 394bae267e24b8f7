// `tenantry bisect` against a running emulator.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../support/cli-run.ts'
import { openPastTenant, type PastTenant } from '../../support/past-tenant.ts'

let past: PastTenant
const requests: string[] = []
beforeAll(async () => {
  past = await openPastTenant('create table rooms (id integer primary key, seats integer)')
  for (let id = 1; id <= 20; id++)
    requests.push(await past.request('POST', '/rooms', { id, seats: id === 13 ? -1 : id }))
})
afterAll(() => past[Symbol.asyncDispose]())

/** A command that fails when a room has fewer seats than `least`. */
const command = (least: number): readonly string[] => {
  const address = `${past.at.url}/rooms?seats=lt.${least}`
  const headers = {
    apikey: past.tenant.anonKey,
    authorization: `Bearer ${past.tenant.serviceRoleKey}`,
  }
  const program = `fetch(${JSON.stringify(address)}, { headers: ${JSON.stringify(headers)} })
    .then((answer) => answer.json()).then((rows) => { process.exitCode = rows.length > 0 ? 1 : 0 })`
  return ['--', process.execPath, '-e', program]
}
const bisect = (...args: readonly string[]) =>
  runCli(['bisect', '--url', past.at.url, ...args]).ended
const rooms = async () =>
  (await past.ask('select count(*), sum(seats) from rooms')).results[0]?.rows

describe('tenantry bisect', () => {
  it('names the request after which the command fails first, in log2(n) + 2 runs', async () => {
    const before = await rooms()
    const { code, stderr, stdout } = await bisect(...command(0))
    expect(stdout.split('\n')[0]).toBe(
      `The first change after which the command fails: request ${requests[12]}.`,
    )
    expect(stderr.match(/^(passes|fails )/gm)?.length).toBeLessThanOrEqual(7)
    expect([code, await rooms()]).toEqual([0, before])
  })

  it('leaves no snapshot behind', async () => {
    const { body } = await past.at.call('GET', '/_emulator/v1/snapshots')
    expect(body.snapshots).toEqual([])
  })

  it.each([
    ['passes_now', -5],
    ['fails_before', 5],
  ])('ends with exit code 1 for a command that %s', async (outcome, least) => {
    const args = outcome === 'fails_before' ? ['--since', requests[8] ?? ''] : []
    const { code, stdout } = await bisect(...args, '--json', ...command(least))
    expect([code, JSON.parse(stdout)]).toEqual([1, { outcome, found: null }])
  })
})
