// Writes fixtures into a folder for one test, and checks or applies them over an emulator's API.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Json, TestEmulator } from './test-emulator.ts'

/** Writes a fixture with these files and returns its folder. The caller removes `root`. */
export function writeFixture(root: string, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(root, 'fixture-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

export async function applyTo({ call }: TestEmulator, fixture: string): Promise<Json> {
  return (await call('POST', '/_emulator/v1/fixtures/apply', { body: { fixture } })).body
}

export async function checkOn({ call }: TestEmulator, fixture: string): Promise<Json> {
  return (await call('POST', '/_emulator/v1/fixtures/check', { body: { fixture } })).body
}

/** Returns `file:line path` for every problem of a report. */
export function placesOf({ problems }: Json): readonly string[] {
  return problems.map(({ file, line, path }: Json) => `${file}:${line} ${path}`)
}

/** Returns the rows of a query that runs as the project's owner. */
export async function ask({ call }: TestEmulator, project: string, sql: string): Promise<Json> {
  const answer = await call('POST', `/_emulator/v1/projects/${project}/sql`, {
    body: { sql, identity: 'owner' },
  })
  if (answer.status !== 200) throw new Error(answer.text)
  if (answer.body.error !== null) throw new Error(answer.text)
  return answer.body.results.at(-1)?.rows
}
