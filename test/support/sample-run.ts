// Runs vitest on test files of an application in a folder of its own, with `tenantry/vitest` from the sources.
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const source = (path: string): string => JSON.stringify(resolve(path))
const CONFIG = `import { defineConfig } from 'vitest/config'
export default defineConfig({
  resolve: { alias: [
    { find: /^tenantry\\/vitest\\/setup$/, replacement: ${source('emulator/assembly/testing/vitest-setup.ts')} },
    { find: /^tenantry\\/vitest$/, replacement: ${source('emulator/assembly/testing/vitest.ts')} },
  ] },
  test: {
    globalSetup: ['platform.ts'], testTimeout: 60000, hookTimeout: 120000,
    server: { deps: { external: [/\\/emulator\\//] } },
  },
})
`

/**
 * @param files texts by the names of the files; `platform.ts` is the global setup
 * @returns the failure messages by the titles of the tests, empty for a test that passed
 */
export async function runSample(
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, string>> {
  mkdirSync(folder, { recursive: true })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const all = { 'package.json': '{ "type": "module" }', 'vitest.config.ts': CONFIG, ...files }
  for (const [name, text] of Object.entries(all)) writeFileSync(join(folder, name), text)
  const report = join(folder, 'report.json')
  const program = resolve('node_modules/vitest/vitest.mjs')
  const args = [program, 'run', '--root', folder, '--reporter=json', `--outputFile=${report}`]
  const { VITEST_POOL_ID: _pool, VITEST_WORKER_ID: _worker, VITEST: _vitest, ...env } = process.env
  await new Promise((done) => execFile(process.execPath, args, { env }, done))
  const messages = new Map<string, string>()
  for (const { assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults)
    for (const { failureMessages, title } of assertionResults)
      messages.set(title, failureMessages.join('\n'))
  return messages
}
