// How long `tenantry dev` takes from saving a step to having applied it in the template and in three tenants with rows. Each step
// lets anon read a table, so that the emulator also finds a visibility change.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../support/cli-process.ts'
import { type JsonLines, jsonLinesOf } from '../support/json-lines.ts'
import { writeApplication } from './application.ts'

const ROUNDS = 5
const BUILT = [process.execPath, 'dist/bin.mjs']

/** @returns wall-clock milliseconds of each save, from writing the file to the report */
export async function measureDev(): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-bench-dev-'))
  const steps = writeApplication(folder)
  const options = ['--json', '--port', '0', '--postgres-port', 'none']
  const folders = ['--fixture', join(folder, 'tenantry'), '--data-dir', join(folder, 'data')]
  const { child, ended } = runProgram([...BUILT, 'dev', ...folders, ...options])
  try {
    const lines = jsonLinesOf(child)
    await lines.next()
    await requireApplied(lines)
    const rounds: number[] = []
    for (let round = 1; round <= ROUNDS; round += 1) {
      const begun = performance.now()
      const file = join(steps, `2026020100000${round}_column.sql`)
      writeFileSync(
        file,
        `alter table t${round} add column added integer;\ncreate policy open on t${round} for select to anon using (true);\n`,
      )
      const { people } = await requireApplied(lines)
      rounds.push(performance.now() - begun)
      if (people.length !== 3) throw new Error(`dev named ${JSON.stringify(people)}`)
    }
    return rounds
  } finally {
    child.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
}

async function requireApplied(lines: JsonLines): Promise<Awaited<ReturnType<JsonLines['next']>>> {
  const report = await lines.next()
  if (report.event !== 'applied') throw new Error(`dev reported ${JSON.stringify(report)}`)
  return report
}
