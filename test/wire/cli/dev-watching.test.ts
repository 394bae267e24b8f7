// `tenantry dev` continues when a part of the application's folder cannot be scanned, says so once, and recovers by itself.
import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { type CliRun, runCliIn } from '../../support/cli-run.ts'
import { type JsonLines, jsonLinesOf } from '../../support/json-lines.ts'
import { callsTo, type Json } from '../../support/test-emulator.ts'
import { until } from '../../support/until.ts'

let folder: ReturnType<typeof temporaryFolder>
let dev: CliRun
let lines: JsonLines
let url: string
let complaints: string

beforeAll(async () => {
  folder = temporaryFolder()
  await runCliIn(folder.path, ['init']).ended
  dev = runCliIn(folder.path, ['dev', '--json', '--memory', '--port', '0'])
  lines = jsonLinesOf(dev.child)
  complaints = ''
  dev.child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  url = (await lines.next()).auth_url
  await lines.next()
})
afterAll(async () => {
  dev.child.kill('SIGINT')
  await dev.ended
  folder.remove()
})

const inFolder = (...names: string[]): string => join(folder.path, 'tenantry', ...names)
const addStep = (number: number): void =>
  writeFileSync(
    inFolder('migrations', `2099123100000${number}_t.sql`),
    `create table t${number} (id int primary key);\n`,
  )
const read = async (path: string): Promise<Json> =>
  (await callsTo(url)<Json>('GET', `/_emulator/v1/${path}`)).body
const complained = (): number => complaints.split('cannot be read').length - 1

/** Makes a folder that no process can list by its path, because the path is longer than the system's limit. */
function makeUnreadable(): { readonly undo: () => void } {
  const deep = (root: string, levels: number): string =>
    join(root, ...Array.from({ length: levels }, () => 'd'.repeat(250)))
  mkdirSync(deep(join(folder.path, 'tail'), 8), { recursive: true })
  const end = deep(inFolder('drafts'), 12)
  mkdirSync(end, { recursive: true })
  renameSync(join(folder.path, 'tail'), join(end, 'tail'))
  return { undo: () => renameSync(join(end, 'tail'), join(folder.path, 'tail')) }
}

describe('the file watching of tenantry dev', () => {
  it('applies saves when one folder cannot be read, reports that folder once, and recovers', async () => {
    expect(await read('health')).toMatchObject({ watch: { problem: null } })
    const unreadable = makeUnreadable()
    try {
      await until(() => complained() === 1)
      addStep(1)
      expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
      addStep(2)
      expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
      expect(complained()).toBe(1)
      const { watch } = await read('health')
      expect(watch).toEqual({
        folder: inFolder(),
        problem: expect.stringMatching(/drafts\/d+.* cannot be read \(ENAMETOOLONG\)/),
      })
      expect((await read('overview')).services).toContainEqual({
        service: 'folder',
        state: 'degraded',
        sentence: watch.problem,
        facts: {},
      })
    } finally {
      unreadable.undo()
    }
    await until(() => complaints.includes('All of tenantry is watched again.'))
    expect(await read('health')).toMatchObject({ watch: { problem: null } })
    addStep(3)
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
  })

  it('notices saves in a folder that was removed and created again', async () => {
    const steps = inFolder('migrations')
    for (const number of [4, 5]) {
      cpSync(steps, inFolder('copy'), { recursive: true })
      rmSync(steps, { recursive: true })
      renameSync(inFolder('copy'), steps)
      addStep(number)
      expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
    }
    addStep(6)
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
  })

  it('does not follow a link out of the folder', async () => {
    const complaintsBefore = complaints
    symlinkSync('/', inFolder('files', 'root'))
    addStep(7)
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
    rmSync(inFolder('files', 'root'))
    addStep(8)
    expect(await lines.next()).toMatchObject({ event: 'applied', migrated: [{}, {}] })
    expect(complaints).toBe(complaintsBefore)
  })
})
