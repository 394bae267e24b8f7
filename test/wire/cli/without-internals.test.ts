// `tenantry exec` in a process without the features that Node.js and V8 do not guarantee (docs/decisions.md).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runProgram, temporaryFolder } from '../../support/cli-process.ts'
import { patiently } from '../../support/patience.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

it(
  'answers requests in a process that forbids the internals of Node and V8',
  async () => {
    const log = join(folder.path, 'forbidden.log')
    const script = `const { TENANTRY_ANON_KEY: key, TENANTRY_DATA_URL: url } = process.env
    const headers = { apikey: key, authorization: 'Bearer ' + key }
    const rows = Array.from({ length: 16 }, async (_, turn) => {
      const answer = await fetch(url + '/treatments?select=id&order=id&limit=1&offset=' + turn % 2, { headers })
      return (await answer.json())[0].id
    })
    Promise.all(rows).then((ids) => console.log(ids.join()))`
    const forbidding = ['--import', './test/support/forbid-internals.ts', 'emulator/cli/bin.ts']
    const options = ['--tenant', 'boavista', '--', process.execPath, '-e', script]
    const { code, stdout, stderr } = await runProgram(
      [process.execPath, ...forbidding, 'exec', ...options],
      { FORBIDDEN_LOG: log, NODE_DISABLE_COMPILE_CACHE: '1' },
    ).ended
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${new Array(8).fill('1,2').join()}\n`,
      stderr: '',
    })
    // The list may lack `setFlagsFromString`, because a checkout has cached machine code only after the build.
    const attempts = readFileSync(log, 'utf8').trim().split('\n')
    expect(attempts).toEqual(expect.arrayContaining(['transfer', 'wait']))
  },
  patiently(120_000),
)
