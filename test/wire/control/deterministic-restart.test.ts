// `--deterministic` with an existing data directory: the run is repeatable, and no identifier is used twice.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { createGroup, provisionTenant, startTestEmulator } from '../../support/test-emulator.ts'

const folders: string[] = []

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-seed-'))
  folders.push(folder)
  return folder
}

/** Starts on the folder, creates a tenant with a user, and returns their ids. */
async function start(dataDir: string, name: string): Promise<readonly string[]> {
  await using at = await startTestEmulator({ dataDir, deterministicSeed: 'again' })
  const group = await createGroup(at, name)
  const tenant = await provisionTenant(at, group, `${name}_tenant`)
  const signedUp = await at.call('POST', '/auth/v1/signup', {
    headers: { apikey: tenant.anonKey },
    body: { email: `${name}@x.test`, password: 'a long password' },
  })
  expect([signedUp.status, signedUp.text]).toEqual([200, expect.anything()])
  return [group.id, tenant.id, signedUp.body.user.id]
}

it('generates new identifiers at the second start of a data directory', async () => {
  const folder = freshFolder()
  const first = await start(folder, 'first')
  const second = await start(folder, 'second')
  expect(second.filter((id) => first.includes(id))).toEqual([])
})

it('generates the same identifiers in two data directories with the same seed', async () => {
  expect(await start(freshFolder(), 'one')).toEqual(await start(freshFolder(), 'one'))
})
