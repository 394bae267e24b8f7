// kill -9 while a state is saved, restored or reset. The next start finds the complete old state or the complete new state.
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { spawnCli, temporaryFolder } from '../../support/cli-process.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const start = (dataDir: string) =>
  spawnCli(['start', '--data-dir', dataDir, '--port', '0', '--json'])

interface Row {
  readonly name: string
}

async function open(dataDir: string) {
  const process = start(dataDir)
  const ready = await process.ready
  const tenant = ready.groups[0]?.tenants[0]
  const key = tenant?.service_role_key ?? ''
  const headers = {
    apikey: key,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  }
  const api = (path: string, body: object = {}) =>
    fetch(new URL(`/_emulator/v1${path}`, ready.inspector_url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    process,
    api,
    add: async (name: string) => {
      const { status } = await fetch(`${ready.data_url}/rooms`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name }),
      })
      expect(status).toBe(201)
    },
    names: async () =>
      (
        (await (
          await fetch(`${ready.data_url}/rooms?select=name&order=name`, { headers })
        ).json()) as Row[]
      ).map(({ name }) => name),
    users: async () =>
      (
        await fetch(new URL(`/_emulator/v1/projects/${tenant?.slug}/users`, ready.inspector_url))
      ).text(),
  }
}

describe('a process killed while its state changes', () => {
  it('has either the old state or the new state after the next start', async () => {
    const dataDir = join(folder.path, 'states')
    let at = await open(dataDir)
    let found = await at.names()
    await at.add('kept')
    expect((await at.api('/snapshots', { name: 'one' })).status).toBe(201)
    const before = await at.names()
    const outcomes = new Set<string>()
    for (const delay of [4, 8, 18, 32]) {
      await at.add(`later ${delay}`)
      const after = await at.names()
      const path = delay % 8 === 0 ? '/snapshots/one/restore' : '/reset'
      const working = at.api(path).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, delay))
      at.process.child.kill('SIGKILL')
      await Promise.all([working, at.process.ended])
      const expected = path === '/reset' ? found : before
      at = await open(dataDir)
      const names = await at.names()
      const isOld = JSON.stringify(names) === JSON.stringify(after)
      outcomes.add(isOld ? 'old' : 'new')
      const isNew = JSON.stringify(names) === JSON.stringify(expected)
      expect({ delay, path, isWhole: isOld || isNew, names, after, expected }).toMatchObject({
        isWhole: true,
      })
      found = names
      await at.add(`again ${delay}`)
    }
    expect((await at.api('/snapshots/one/restore')).status).toBe(200)
    expect(await at.names()).toEqual(before)
    at.process.child.kill('SIGTERM')
    await at.process.ended
  }, 240_000)
})
