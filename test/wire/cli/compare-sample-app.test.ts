// The sample application, recorded with one emulator and compared with another. The application runs with the installed package
// `tenantry`, as for its developers.
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectionSettings } from '../../../emulator/index.ts'
import { spawnCliIn, temporaryFolder } from '../../support/cli-process.ts'
import { runCliIn } from '../../support/cli-run.ts'
import { startTestEmulator } from '../../support/test-emulator.ts'

const FIXTURE = `groups:
  - name: Libraries
    template: { slug: booking, name: Booking, sql: [schema.sql] }
    tenants:
      - slug: library
        rows:
          rooms: [{ name: garden, seats: 4 }, { name: hall, seats: 40 }]
`
const MAIN = `import { book, connect, ownDays, roomsFor } from './src/booking.ts'
const { TENANTRY_AUTH_URL: url, TENANTRY_ANON_KEY: key, TENANTRY_PROJECT: project } = process.env
const open = () => connect({ url, key, project })
const signIn = async (email) => {
  const app = open()
  await app.auth.signInWithOtp({ email })
  const mail = await fetch(url + '/_emulator/v1/mailbox/next?to=' + email)
  await app.auth.verifyOtp({ email, code: (await mail.json()).code })
  return app
}
const [ana, bea] = [await signIn('ana@x.test'), await signIn('bea@x.test')]
const outcomes = [
  await roomsFor(open(), 10),
  await book(ana, 1, '2030-05-01'),
  await book(bea, 1, '2030-05-01'),
  await book(open(), 1, '2030-05-02'),
  await book(bea, 2, '2030-05-02'),
  await ownDays(ana),
  await ownDays(bea),
]
await ana.auth.signOut()
console.log(JSON.stringify(outcomes))
`

const folder = temporaryFolder()
beforeAll(async () => {
  cpSync('test/sample-app/src', join(folder.path, 'src'), { recursive: true })
  mkdirSync(join(folder.path, 'tenantry'))
  cpSync('test/sample-app/schema.sql', join(folder.path, 'tenantry/schema.sql'))
  writeFileSync(join(folder.path, 'tenantry/fixture.yaml'), FIXTURE)
  writeFileSync(join(folder.path, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder.path, 'main.mjs'), MAIN)
  mkdirSync(join(folder.path, 'node_modules'))
  symlinkSync(resolve('.'), join(folder.path, 'node_modules/tenantry'))
  await using hosted = await startTestEmulator({ deterministicSeed: 'hosted' })
  await hosted.emulator.applyFixture(join(folder.path, 'tenantry'))
  const settings = connectionSettings(await hosted.emulator.ready(hosted.url), 'library')
  const args = ['record', '--target', hosted.url, '--', process.execPath, 'main.mjs']
  const { code, stderr, stdout } = await spawnCliIn(folder.path, args, settings).ended
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(JSON.parse(stdout)).toEqual([
    1,
    { booked: { id: 1, day: '2030-05-01' } },
    { refused: 'taken' },
    { refused: 'not_allowed' },
    { booked: { id: expect.any(Number), day: '2030-05-02' } },
    ['2030-05-01'],
    ['2030-05-02'],
  ])
})
afterAll(() => folder.remove())

it.each(['once', 'twice'])('a recorded app agrees with another emulator, %s', async () => {
  const args = ['compare', 'traffic.har', '--json']
  const { code, stdout } = await runCliIn(folder.path, args).ended
  const { differences, score, skipped } = JSON.parse(stdout)
  expect({ code, differences, score }).toEqual({ code: 0, differences: [], score: 100 })
  // The comparison skips these requests, because the application read its codes from the mailbox of the recorded emulator.
  expect(skipped.map(({ target }: { target: string }) => target)).toEqual([
    '/_emulator/v1/mailbox/next?to=ana@x.test',
    '/_emulator/v1/mailbox/next?to=bea@x.test',
  ])
})
