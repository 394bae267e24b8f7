// The engine works, more slowly, in a process without the features that Node.js and V8 do not guarantee (docs/decisions.md).
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cachedCodePath } from '../../../../emulator/database/embedded/code-cache.ts'
import { engineCodePath } from '../../../../emulator/database/embedded/engine-code.ts'

const run = promisify(execFile)

let folder = ''
let log = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenantry-forbidden-'))
  log = join(folder, 'forbidden.log')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('reads, copies and ends a statement at its deadline without the internals of Node and V8', async () => {
  const { stdout } = await run(
    process.execPath,
    [
      '--import',
      './test/support/forbid-internals.ts',
      'test/support/engine-without-internals.ts',
      join(folder, 'data'),
    ],
    { env: { ...process.env, FORBIDDEN_LOG: log, NODE_DISABLE_COMPILE_CACHE: '1' } },
  )
  expect(JSON.parse(stdout)).toEqual({
    before: '2',
    copied: 'COPY 2',
    together: new Array(16).fill('4'),
    degraded: ['cancel'],
    overDeadline: '57014',
    after: '4',
    restarts: 1,
  })
  const attempts = new Set(readFileSync(log, 'utf8').trim().split('\n'))
  // Cached machine code exists only after a build in this checkout, or after a start by this user.
  const hasCode = [engineCodePath(), cachedCodePath()].some((path) => existsSync(path))
  const cached = hasCode ? ['setFlagsFromString'] : []
  expect([...attempts].toSorted()).toEqual(
    [...['connect', 'transfer', 'wait'], ...cached].toSorted(),
  )
}, 120_000)
