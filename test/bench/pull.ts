// How long `tenantry pull` takes for a project with 30 tables, from the command to the finished folder. The emulator of the bench
// plays the hosted platform.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../support/cli-process.ts'
import type { BenchServer } from './server.ts'

const ROUNDS = 5

/** Pulls `proj_thirty`, the template of provisioning.ts. @returns wall-clock milliseconds of each round */
export async function measurePull({ ready }: BenchServer): Promise<readonly number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tenantry-bench-pull-'))
  const env = { TENANTRY_REMOTE_SESSION_TOKEN: ready.platform.session_token }
  const rounds: number[] = []
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const out = join(folder, String(round))
      const begun = performance.now()
      const args = ['pull', '--url', ready.auth_url, '--project', 'thirty', '--out', out]
      const { code, stderr } = await runProgram([process.execPath, 'dist/bin.mjs', ...args], env)
        .ended
      if (code !== 0) throw new Error(`pull ended with ${code}: ${stderr}`)
      rounds.push(performance.now() - begun)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return rounds
}
