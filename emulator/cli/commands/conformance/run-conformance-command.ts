// Runs the checks of `tenantry conformance`, and reads their credentials from the environment.
import { writeFileSync } from 'node:fs'
import { SystemIdSource } from '../../../core/id-source.ts'
import { writingTo } from '../../../core/named-files.ts'
import { printableLines } from '../../../core/printable.ts'
import { matrixJunit, matrixLines } from '../../../workflow/conformance/report/matrix.ts'
import type { GivenCredentials } from '../../../workflow/conformance/run/capabilities.ts'
import { runConformance } from '../../../workflow/conformance/run/run-conformance.ts'
import type { LabPlace } from '../../../workflow/conformance/run/with-lab.ts'
import { showing } from '../../live-line.ts'
import { platformTargets } from '../../platform-targets.ts'
import { answerClient } from '../../running-options.ts'
import type { TargetOptions } from '../../target-options.ts'
import { terminal } from '../../terminal.ts'

/** The parsed options of the command line. */
export interface ConformanceOptions extends TargetOptions {
  readonly group?: string
  readonly adminToken?: string
  readonly write: boolean
  readonly inGroup: boolean
  readonly only: readonly string[]
  readonly json: boolean
  readonly junit?: string
}

/** Prints the matrix and returns the exit code. @throws {EmulatorError} */
export async function runConformanceCommand(options: ConformanceOptions): Promise<number> {
  const order = {
    bases: platformTargets(options).bases,
    credentials: credentialsIn(process.env, options),
    write: placeOf(options),
    only: options.only,
  }
  const stop = stopOnSignal()
  const result = await showing('Checking the platform', () =>
    runConformance(order, { http: answerClient(), ids: new SystemIdSource(), stop }),
  )
  terminal().stdout.write(
    `${options.json ? JSON.stringify(result) : printableLines(matrixLines(result))}\n`,
  )
  const { junit } = options
  if (junit !== undefined) writingTo(junit, () => writeFileSync(junit, matrixJunit(result)))
  return result.failed === 0 && result.left.length === 0 ? 0 : 1
}

function placeOf({ inGroup, write }: ConformanceOptions): LabPlace | undefined {
  if (inGroup) return 'given group'
  return write ? 'own group' : undefined
}

/** Returns a signal that the first SIGINT or SIGTERM sets. A second one ends the process at once. */
function stopOnSignal(): AbortSignal {
  const own = terminal()
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    own.once(signal, () => {
      stop.abort()
      own.stderr.write('tenantry: Stopping after the current request.\n')
    })
  return stop.signal
}

function credentialsIn(
  env: NodeJS.ProcessEnv,
  { adminToken, group }: ConformanceOptions,
): GivenCredentials {
  const read = (name: string): string | undefined => env[name]?.trim() || undefined
  const email = read('TENANTRY_DEV_EMAIL')
  const password = read('TENANTRY_DEV_PASSWORD')
  return {
    adminToken,
    sessionToken: read('TENANTRY_REMOTE_SESSION_TOKEN'),
    account: email === undefined || password === undefined ? undefined : { email, password },
    groupId: group ?? read('TENANTRY_GROUP_ID'),
    groupApiKey: read('TENANTRY_REMOTE_GROUP_API_KEY') ?? read('TENANTRY_GROUP_API_KEY'),
    anonKey: read('TENANTRY_ANON_KEY'),
    serviceRoleKey: read('TENANTRY_SERVICE_ROLE_KEY'),
  }
}
