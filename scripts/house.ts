// `npm run house`: prints the size and shape of this repository. The numbers are lines, files, and files that only one
// file imports. The last number is of files whose code runs on the main thread for a read of 20 rows.
import { readdirSync, readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../emulator/core/package-files.ts'
import { createEmulator } from '../emulator/index.ts'

const PRODUCT = ['emulator', 'renderer', 'client', 'main']
const ROOT = packageFile()
const IMPORT = /(?:from|import\()\s*'(\.[^']+)'/g

const inner = sourcesIn(['emulator'])
const walked = await filesOfRead()
const figures: readonly (readonly [name: string, value: number])[] = [
  ['product lines', linesOf(sourcesIn(PRODUCT))],
  ['test lines', linesOf(sourcesIn(['test']))],
  ['entries of emulator/', readdirSync(join(ROOT, 'emulator')).length],
  ['files in emulator/', inner.length],
  ['files in emulator/ that one file imports', withOneUser(inner, sourcesIn(PRODUCT))],
  ['files of a read of 20 rows', walked.length],
]
for (const [name, value] of figures)
  process.stdout.write(`${value.toLocaleString('en').padStart(9)}  ${name}\n`)
if (process.argv.includes('--walk')) process.stdout.write(`${walked.join('\n')}\n`)

function sourcesIn(folders: readonly string[]): readonly string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(ROOT, folder, name)),
  )
}

function linesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
}

function withOneUser(files: readonly string[], users: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const user of users) {
    const found = readFileSync(user, 'utf8').matchAll(IMPORT)
    const targets = Array.from(found, ([, specifier = '']) => join(dirname(user), specifier))
    for (const target of new Set(targets)) counts.set(target, (counts.get(target) ?? 0) + 1)
  }
  return files.filter((file) => counts.get(file) === 1).length
}

/** The files whose functions run for a request like an earlier one. */
async function filesOfRead(): Promise<readonly string[]> {
  const emulator = await createEmulator()
  const session = new Session()
  try {
    const tenant = await emulator.tenant('acme')
    await tenant.sql('create table items (id int primary key)')
    await tenant.sql('insert into items select generate_series(1, 20)')
    const read = async (): Promise<void> => {
      const answer = await emulator.fetch(
        new Request('http://localhost/items', {
          headers: {
            apikey: tenant.anonKey,
            authorization: `Bearer ${tenant.serviceRoleKey}`,
            'accept-profile': tenant.schemaName,
          },
        }),
      )
      if ((await answer.text()).length < 20) throw new Error(`the read failed: ${answer.status}`)
    }
    await read()
    await read()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.startPreciseCoverage', { callCount: true })
    await read()
    const { result } = await session.post('Profiler.takePreciseCoverage')
    return result
      .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
      .flatMap(({ url }) => (url.startsWith('file:') ? fileURLToPath(url) : []))
      .map((file) => relative(ROOT, file))
      .filter((file) => file.startsWith('emulator'))
      .toSorted()
  } finally {
    session.disconnect()
    await emulator.close()
  }
}
