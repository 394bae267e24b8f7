// Recordings of an application that closes sockets and channels before their events arrive. A comparison with the same state must
// not report these events.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectionSettings } from '../../../emulator/index.ts'
import { temporaryFolder } from '../../support/cli-process.ts'
import { runCli, runCliIn } from '../../support/cli-run.ts'
import { executeSql, startTestEmulator } from '../../support/test-emulator.ts'

const MAIN = `
const { TENANTRY_AUTH_URL: url, TENANTRY_DATA_URL: rows, TENANTRY_ANON_KEY: key } = process.env
const post = async (path, body, bearer = key) => {
  const headers = { apikey: key, authorization: 'Bearer ' + bearer, 'content-type': 'application/json' }
  return (await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()
}
const user = await post('/auth/v1/signin', { email: 'ana@patients.test', password: 'aurora-ana' })
const token = await post('/rt/v1/token', {}, user.data_plane_token)
const join = (name, ref) => [ref, ref, 'realtime:proj_aurora:' + name, 'phx_join', {
  config: { postgres_changes: [{ event: '*', schema: 'proj_aurora', table: 'appointments' }] },
}]
const open = async () => {
  const socket = new WebSocket(token.url + '/websocket?vsn=2.0.0&apikey=' + token.token)
  const send = (frame) => socket.send(JSON.stringify(frame))
  const events = []
  socket.addEventListener('message', ({ data }) => events.push(JSON.parse(data)))
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  return { events, send, socket }
}
const until = async (condition) => { while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5)) }

// A page that closes at once.
const short = await open()
short.send(join('short', '1'))
short.socket.close()
await new Promise((resolve) => short.socket.addEventListener('close', resolve))
// A page that leaves its channel at once and goes on.
const long = await open()
long.send(join('left', '1'))
long.send(['1', '2', 'realtime:proj_aurora:left', 'phx_leave', {}])
long.send(join('kept', '3'))
await until(() => long.events.some(([, , topic, event]) => event === 'system' && topic.endsWith('kept')))
long.socket.close()
await new Promise((resolve) => long.socket.addEventListener('close', resolve))

const ask = async (bearer) => {
  const headers = { apikey: key, authorization: 'Bearer ' + bearer }
  await (await fetch(rows + '/treatments?select=price&name=eq.Follow-up', { headers })).text()
}
for (let times = 0; times < 3; times += 1) await ask(user.data_plane_token)
await ask(key)
process.exit()
`

const folder = temporaryFolder()
const recording = join(folder.path, 'traffic.har')

/**
 * Removes events from the recording, as if a slow platform had sent them after the socket or channel closed. The result then does
 * not depend on the speed of the recorded emulator.
 */
function loseLastEvents(): void {
  const har = JSON.parse(readFileSync(recording, 'utf8'))
  for (const entry of har.log.entries)
    entry._webSocketMessages = entry._webSocketMessages?.filter(
      ({ data, type }: { data: string; type: string }) => {
        const [, , topic, event] = JSON.parse(data)
        return (
          type === 'send' ||
          !(topic.endsWith('short') || (topic.endsWith('left') && event === 'system'))
        )
      },
    )
  writeFileSync(recording, JSON.stringify(har))
}

beforeAll(async () => {
  writeFileSync(join(folder.path, 'main.mjs'), MAIN)
  await using hosted = await startTestEmulator({ deterministicSeed: 'hosted' })
  await hosted.emulator.applyFixture('clinics')
  const settings = connectionSettings(await hosted.emulator.ready(hosted.url), 'aurora')
  const args = ['record', '--target', hosted.url, '--', process.execPath, 'main.mjs']
  const { code, stderr } = await runCliIn(folder.path, args, settings).ended
  expect({ code, stderr }).toMatchObject({ code: 0 })
  loseLastEvents()
})
afterAll(() => folder.remove())

it('tenantry compare finds no difference in events that could not arrive before a socket or channel closed', async () => {
  const args = ['compare', 'traffic.har', '--fixture', 'clinics', '--json']
  const { code, stdout } = await runCliIn(folder.path, args).ended
  const { differences, late_events: late, score } = JSON.parse(stdout)
  expect({ code, differences, score }).toEqual({ code: 0, differences: [], score: 100 })
  expect(late).toBeGreaterThan(0)
})

it('tenantry compare names tenant and user of differences, and prints equal differences once', async () => {
  await using other = await startTestEmulator()
  await other.emulator.applyFixture('clinics')
  const { groups } = await other.emulator.ready(other.url)
  const aurora = groups.flatMap(({ tenants }) => tenants).find(({ slug }) => slug === 'aurora')
  const tenant = {
    slug: 'aurora',
    id: aurora?.id ?? '',
    schemaName: 'proj_aurora',
    anonKey: aurora?.anon_key ?? '',
    serviceRoleKey: aurora?.service_role_key ?? '',
  }
  await executeSql(other, tenant, "update treatments set price = 1 where name = 'Follow-up'")
  const { stdout } = await runCli(['compare', recording, '--url', other.url]).ended
  expect(stdout).toMatch(
    /#\d+, #\d+, #\d+ GET \/treatments\?select=price&name=eq.Follow-up {2}as ana@patients\.test in aurora, 3 times\n {4}body\[0\]\.price {2}\(value\)\n/,
  )
  expect(stdout).toMatch(
    /\n#\d+ GET \/treatments\?select=price&name=eq.Follow-up {2}as anon in aurora\n/,
  )
  expect(stdout).toMatch(/ 4 differences/)
  const { stdout: json } = await runCli(['compare', recording, '--url', other.url, '--json']).ended
  expect(JSON.parse(json).differences).toMatchObject([
    { tenant: 'aurora', identity: 'ana@patients.test' },
    {},
    {},
    { tenant: 'aurora', identity: 'anon' },
  ])
})
