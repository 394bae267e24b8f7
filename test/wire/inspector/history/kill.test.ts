// kill -9 while rows are written: every row has its entry in the history, and every entry has its row.
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { RowHistory } from '../../../../emulator/contract/history.ts'
import { spawnCli, temporaryFolder } from '../../../support/cli-process.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

const ROUNDS = 3
const WRITERS = 4

async function open(dataDir: string) {
  const process = spawnCli(['start', '--data-dir', dataDir, '--port', '0', '--json'])
  const ready = await process.ready
  const tenant = ready.groups[0]?.tenants[0]
  const key = tenant?.service_role_key ?? ''
  const headers = {
    apikey: key,
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  }
  return {
    process,
    add: (name: string) =>
      fetch(`${ready.data_url}/rooms`, { method: 'POST', headers, body: JSON.stringify({ name }) }),
    rooms: async (): Promise<readonly string[]> => {
      const answer = await fetch(`${ready.data_url}/rooms?select=name&name=like.room*`, { headers })
      const rows = (await answer.json()) as { readonly name: string }[]
      return rows.map(({ name }) => name).sort()
    },
    recorded: async (): Promise<readonly string[]> => {
      const path = `/_emulator/v1/projects/${tenant?.slug}/history?table=rooms&limit=1000`
      const answer = await fetch(new URL(path, ready.inspector_url))
      const { changes } = (await answer.json()) as RowHistory
      return changes
        .map(({ columns }) => columns['name']?.[1] ?? '')
        .filter((name) => name.startsWith('room'))
        .sort()
    },
  }
}

it('a killed process leaves rows and history in step', async () => {
  const dataDir = join(folder.path, 'killed')
  let acknowledged: string[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const at = await open(dataDir)
    let number = 0
    const write = async (): Promise<void> => {
      for (;;) {
        const name = `room ${round}.${number++}`
        try {
          if ((await at.add(name)).status === 201) acknowledged = [...acknowledged, name]
        } catch {
          return
        }
        if (acknowledged.length >= (round + 1) * 40) at.process.child.kill('SIGKILL')
      }
    }
    await Promise.all(Array.from({ length: WRITERS }, write))
    await at.process.ended
  }
  const at = await open(dataDir)
  const rooms = await at.rooms()
  expect(await at.recorded()).toEqual(rooms)
  expect(acknowledged.filter((name) => !rooms.includes(name))).toEqual([])
  at.process.child.kill('SIGKILL')
  await at.process.ended
})
