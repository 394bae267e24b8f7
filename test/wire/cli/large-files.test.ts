// Files of a fixture that are too large to read are refused with their name and the limit.
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../support/cli-process.ts'
import { runCli, runCliIn } from '../../support/cli-run.ts'
import { writeFixture } from '../../support/fixture-folder.ts'
import { jsonLinesOf } from '../../support/json-lines.ts'
import { startTestEmulator, type TestEmulator } from '../../support/test-emulator.ts'

const folder = temporaryFolder()
let at: TestEmulator
beforeAll(async () => {
  at = await startTestEmulator()
})
afterAll(async () => {
  await at[Symbol.asyncDispose]()
  folder.remove()
})

const FIVE_GIGABYTES = 5 * 2 ** 30

/** Creates a sparse file, which takes no space. */
function writeLarge(path: string): void {
  writeFileSync(path, '')
  truncateSync(path, FIVE_GIGABYTES)
}

const tooLarge = (name: string, megabytes: number): string => `${name}: ${expectedSize(megabytes)}`
const expectedSize = (megabytes: number): string =>
  `is too large: it has ${FIVE_GIGABYTES} bytes, and the limit is ${megabytes} MB`

const PROJECT = 'projects:\n  - slug: notes\n'
const KINDS: Readonly<Record<string, { readonly yaml?: string; readonly says: string }>> = {
  'fixture.yaml': { says: tooLarge('fixture.yaml', 256) },
  'notes.sql': { yaml: '    sql: [notes.sql]\n', says: `notes.sql ${expectedSize(256)}` },
  'rows.json': { yaml: '    rows: { notes: rows.json }\n', says: `rows.json ${expectedSize(256)}` },
  'rows.csv': { yaml: '    rows: { notes: rows.csv }\n', says: `rows.csv ${expectedSize(256)}` },
  'steps/20260101000000_a.sql': {
    yaml: '    migrations: steps\n',
    says: tooLarge('steps/20260101000000_a.sql', 256),
  },
  'photo.png': {
    yaml: '    buckets: [{ name: photos, objects: [{ file: photo.png }] }]\n',
    says: `photo.png ${expectedSize(1024)}`,
  },
}

function fixtureWith(name: string): string {
  const path = writeFixture(folder.path, { 'fixture.yaml': PROJECT, [name]: '' })
  writeFileSync(join(path, 'fixture.yaml'), PROJECT + (KINDS[name]?.yaml ?? ''))
  writeLarge(join(path, name))
  return path
}

describe('a fixture with a file of 5 GB', () => {
  it.each(Object.keys(KINDS))('is refused by check and apply when the file is %s', async (name) => {
    const path = fixtureWith(name)
    for (const command of ['check', 'apply']) {
      const { code, stderr, stdout } = await runCli(['fixture', command, path, '--url', at.url])
        .ended
      expect({ code, stderr, stdout }).toEqual({
        code: 1,
        stderr: '',
        stdout: expect.stringContaining(KINDS[name]?.says ?? ''),
      })
    }
  })

  it('is refused as a bundle', async () => {
    const path = join(folder.path, 'large.tenantry-fixture')
    writeLarge(path)
    const { code, stdout } = await runCli(['fixture', 'check', path, '--url', at.url]).ended
    expect(code).toBe(1)
    expect(stdout).toContain(tooLarge('large.tenantry-fixture', 256))
  })

  it('makes start fail with an error message', async () => {
    const path = fixtureWith('fixture.yaml')
    const { code, stderr } = await runCli(['start', '--memory', '--port', '0', '--fixture', path])
      .ended
    expect(code).toBe(1)
    expect(stderr).toContain(tooLarge('fixture.yaml', 256))
    expect(stderr).not.toContain('went wrong')
  })

  it('is reported by dev, which applies the folder after the file was replaced with a small file', async () => {
    const own = join(folder.path, 'own')
    mkdirSync(own)
    await runCliIn(own, ['init']).ended
    const dev = runCliIn(own, ['dev', '--json', '--port', '0', '--postgres-port', 'none'])
    try {
      const lines = jsonLinesOf(dev.child)
      await lines.next()
      expect(await lines.next()).toMatchObject({ event: 'applied' })
      const step = join(own, 'tenantry', 'migrations', '20991231000000_large.sql')
      writeLarge(step)
      expect(JSON.stringify(await lines.next())).toContain(expectedSize(256))
      writeFileSync(step, 'alter table notes add column stars integer;\n')
      expect(await lines.next()).toMatchObject({ event: 'applied' })
    } finally {
      dev.child.kill('SIGINT')
      await dev.ended
    }
  })

  it('makes migrate lint fail with an error message', async () => {
    const path = fixtureWith('steps/20260101000000_a.sql')
    const { code, stderr } = await runCli(['migrate', 'lint', '--dir', join(path, 'steps')]).ended
    expect(code).toBe(1)
    expect(stderr).toContain(expectedSize(256))
  })
})
