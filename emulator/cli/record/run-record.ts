// Runs the command of `tenantry record` beside a recording proxy.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { SystemClock } from '../../core/clock.ts'
import { EmulatorError } from '../../core/errors.ts'
import type { Listening } from '../../server/listening.ts'
import { PLANES } from '../../traffic/har/har.ts'
import { createHarFile } from '../../traffic/har/har-file.ts'
import { createMasker } from '../../traffic/masking/mask-text.ts'
import type { PlaneBases } from '../../traffic/planes.ts'
import { openRecordingProxy } from '../../traffic/record/recording-proxy.ts'
import { version } from '../../version.ts'
import { OWN_FAILURE } from '../exec/exit-codes.ts'
import { runChild } from '../exec/run-child.ts'
import { platformTargets, type TargetOptions } from '../platform-targets.ts'
import { sentenceOf } from '../report.ts'
import { recordEnvironment } from './record-environment.ts'

/** The parsed options of the command line, with defaults filled in. */
export interface RecordOptions extends TargetOptions {
  readonly out: string
  readonly env?: string
  readonly mask?: readonly string[]
  /** Bytes. */
  readonly maxBody?: number
  readonly port: number
}

/** Bytes that a recording keeps of one body. */
const MAX_BODY_BYTES = 1 << 20

class RecordError extends EmulatorError {
  override readonly code: 'unreadable_file' | 'unwritable_file'

  constructor(code: RecordError['code'], message: string) {
    super(message)
    this.code = code
  }
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
    const file = fileAt(options, { targets, masked })
    let requests = 0
    let sockets = 0
    const proxy = await openRecordingProxy({
      targets,
      given: new Set(PLANES.filter((plane) => given[plane] !== undefined)),
      maxBodyBytes: options.maxBody ?? MAX_BODY_BYTES,
      masker: createMasker(masked),
      wallClock,
      port: options.port,
      record: (entry) => {
        file.add(entry)
        if (entry._resourceType === 'websocket') sockets += 1
        else requests += 1
      },
    })
    const end = await runChild(command, { env: environment(options, targets, proxy), wallClock })
    await proxy.close()
    file.close()
    if (end.startFailure !== undefined) process.stderr.write(`tenantry: ${end.startFailure}\n`)
    process.stderr.write(
      `tenantry: Recorded ${counted(requests, 'request')} and ${counted(sockets, 'socket')} in ${options.out}.\n`,
    )
    return end.exitCode
  } catch (error) {
    process.stderr.write(`tenantry: ${sentenceOf(error)}\n`)
    return OWN_FAILURE
  }
}

function fileAt(
  { maxBody = MAX_BODY_BYTES, out }: RecordOptions,
  head: { readonly targets: PlaneBases; readonly masked: readonly string[] },
): ReturnType<typeof createHarFile> {
  try {
    return createHarFile(out, version, { format: 1, maxBodyBytes: maxBody, ...head })
  } catch (error) {
    throw new RecordError('unwritable_file', `${out} cannot be written: ${messageOf(error)}.`)
  }
}

function environment(
  { env }: RecordOptions,
  targets: PlaneBases,
  { host, port }: Listening,
): NodeJS.ProcessEnv {
  return recordEnvironment(
    { ...process.env, ...(env === undefined ? {} : variablesOf(env)) },
    targets,
    `http://${host}:${port}`,
  )
}

function variablesOf(path: string): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new RecordError('unreadable_file', `${path} cannot be read: ${messageOf(error)}.`)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
