// Makes the engine's machine code (database/embedded/engine-code.ts) for the Node version that runs this program. The program
// starts an emulator, applies the demo, sends requests and restarts the emulator, while V8 optimises all code that runs. Then it
// writes the machine code to the file that its argument names. The package's build and engine-code-later.ts run this program.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { writeEngineCode } from '../assembly/engine/engine-code.ts'
import { createEmulator, type Emulator } from '../assembly/library/create-emulator.ts'
import { packageFile } from '../core/package-files.ts'

const BUDGET = '--wasm-tiering-budget'
// V8 optimises a function after this budget. One unit is about one byte of executed code.
const EAGER_BUDGET = 1_000
// Wall-clock milliseconds that the program waits for V8. V8 optimises in its own threads and does not report when it is done.
const OPTIMISED_AFTER_MILLIS = 3_000

const [, , path] = process.argv
if (path === undefined) throw new Error('give the path of the file to write')
const usualBudget = readUsualBudget()
setFlagsFromString(`${BUDGET}=${EAGER_BUDGET}`)
await train()
await setTimeout(OPTIMISED_AFTER_MILLIS)
// Restores the usual flags, because V8 accepts the code only under the flags with which it was written.
setFlagsFromString(`${BUDGET}=${usualBudget}`)
await writeEngineCode(path)

async function train(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tenantry-training-'))
  // The emulator that started this program ends it with this signal.
  process.once('SIGTERM', () => {
    rmSync(dataDir, { recursive: true, force: true })
    process.exit(1)
  })
  try {
    for (const isFirst of [true, false]) {
      await using emulator = await createEmulator({ dataDir })
      if (isFirst) await emulator.applyFixture(packageFile('fixtures', 'clinics'))
      await work(emulator)
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function work(emulator: Emulator): Promise<void> {
  const { groups, data_url } = await emulator.ready('http://127.0.0.1')
  for (const { anon_key, service_role_key } of groups.flatMap(({ tenants }) => tenants))
    for (const key of [anon_key, service_role_key])
      for (const query of ['treatments?limit=5&order=name', 'patients?select=*,appointments(*)'])
        await read(emulator, `${data_url}/${query}`, key)
}

async function read(emulator: Emulator, url: string, key: string): Promise<void> {
  const headers = { apikey: key, authorization: `Bearer ${key}` }
  const response = await emulator.fetch(new Request(url, { headers }))
  await response.text()
}

function readUsualBudget(): string {
  const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  const usual = options.match(new RegExp(`default: ${BUDGET}=(\\d+)`))?.[1]
  if (usual === undefined) throw new Error(`this Node has no ${BUDGET}`)
  return usual
}
