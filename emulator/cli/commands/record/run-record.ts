// Runs the command of `tenantry record` beside a recording proxy.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { SystemClock } from '../../../core/clock.ts'
import { EmulatorError } from '../../../core/errors.ts'
import { whyUnreadable, writingTo } from '../../../core/named-files.ts'
import { version } from '../../../core/version.ts'
import { addressesOf } from '../../../server/hosts.ts'
import type { Listening } from '../../../server/listening.ts'
import { PLANES } from '../../../workflow/traffic/har/har.ts'
import { createHarFile, type HarFile } from '../../../workflow/traffic/har/har-file.ts'
import { createMasker } from '../../../workflow/traffic/masking/create-masker.ts'
import { basesIn, movedText, type PlaneBases } from '../../../workflow/traffic/planes.ts'
import { openRecordingProxy } from '../../../workflow/traffic/record/recording-proxy.ts'
import { platformTargets } from '../../platform-targets.ts'
import { counted, sentenceOf } from '../../report.ts'
import type { TargetOptions } from '../../target-options.ts'
import { terminal } from '../../terminal.ts'
import { OWN_FAILURE } from '../exec/exit-codes.ts'
import { type ChildEnd, runChild } from '../exec/run-child.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface RecordOptions extends TargetOptions {
  readonly out: string
  readonly env?: string
  readonly mask?: readonly string[]
  /** Bytes. */
  readonly maxBody?: number
  readonly port: number
  readonly keepOpaqueBodies?: boolean
}

/** Maximum bytes of each body that a recording keeps. */
const MAX_BODY_BYTES = 1 << 20

const NOTHING_SENT =
  'The command sent no request to the proxy. It must read its addresses from TENANTRY_AUTH_URL and TENANTRY_DATA_URL.'

class RecordError extends EmulatorError {
  override readonly code = 'unreadable_file'
}

/** Runs the command and returns the exit code for this process. Messages of `record` itself go to standard error. */
export async function runRecord(
  command: readonly string[],
  options: RecordOptions,
): Promise<number> {
  const wallClock = new SystemClock()
  try {
    const { given, bases: targets } = platformTargets(options)
    const masked = options.mask ?? []
    const variables = variablesOf(options.env)
    let file: HarFile
    let requests = 0
    let sockets = 0
    const proxy = await openRecordingProxy({
      targets,
      given: new Set(PLANES.filter((plane) => given[plane] !== undefined)),
      maxBodyBytes: options.maxBody ?? MAX_BODY_BYTES,
      masker: createMasker(masked),
      keepsOpaque: options.keepOpaqueBodies === true,
      wallClock,
      port: options.port,
      record: (entry) => {
        file.add(entry)
        if (entry._resourceType === 'websocket') sockets += 1
        else requests += 1
      },
    })
    let end: ChildEnd
    try {
      // Replaces an earlier recording only now: a proxy that cannot open its port must not destroy that recording.
      file = fileAt(options, { targets, masked })
      end = await runChild(command, { env: environment(variables, targets, proxy), wallClock })
    } finally {
      await proxy.close()
    }
    file.close()
    const recorded = `Recorded ${counted(requests, 'request')} and ${counted(sockets, 'socket')} in ${options.out}.`
    const hint = requests + sockets === 0 ? ` ${NOTHING_SENT}` : ''
    terminal().stderr.write(`tenantry: ${end.startFailure ?? recorded + hint}\n`)
    return end.exitCode
  } catch (error) {
    terminal().stderr.write(`tenantry: ${sentenceOf(error)}\n`)
    return OWN_FAILURE
  }
}

function fileAt(
  { maxBody = MAX_BODY_BYTES, out }: RecordOptions,
  head: { readonly targets: PlaneBases; readonly masked: readonly string[] },
): HarFile {
  return writingTo(out, () =>
    createHarFile(out, version, { format: 1, maxBodyBytes: maxBody, ...head }),
  )
}

function environment(
  variables: NodeJS.Dict<string>,
  targets: PlaneBases,
  { host, port }: Listening,
): NodeJS.ProcessEnv {
  return recordEnvironment({ ...process.env, ...variables }, targets, `http://${host}:${port}`)
}

function variablesOf(path: string | undefined): NodeJS.Dict<string> {
  if (path === undefined) return {}
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new RecordError(whyUnreadable(path, error), {
      hint: 'Name another file with --env.',
    })
  }
}

// Environment variables that `tenantry record` sets for its command. Pure.

/**
 * Returns the variables with the proxy's address in place of each address of the target. Applications may have the target's
 * address in variables with names of their own.
 * @param proxy origin of the proxy
 */
function recordEnvironment(
  env: NodeJS.ProcessEnv,
  targets: PlaneBases,
  proxy: string,
): NodeJS.ProcessEnv {
  const local = addressesOf(proxy)
  const moved = Object.entries(env).map(([name, value]): [string, string | undefined] => [
    name,
    value === undefined ? value : movedText(value, targets, basesIn(local)),
  ])
  return {
    ...Object.fromEntries(moved),
    TENANTRY_AUTH_URL: local.authUrl,
    TENANTRY_DATA_URL: local.dataUrl,
  }
}
