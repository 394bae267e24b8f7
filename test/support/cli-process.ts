// Runs `tenantry` as a separate process, calls it over its port, and ends it as a user or a power cut would.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { ReadyLine } from '../../emulator/index.ts'
import { TEST_DATABASE_URL } from './engine-of-run.ts'

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliProcess {
  readonly child: ChildProcess
  /** Resolves with the ready line of `--json`; rejects when the process ends first. */
  readonly ready: Promise<ReadyLine>
  readonly ended: Promise<Ended>
}

// The built command starts in two thirds of the time. After a change of the source it would be the wrong program.
const ENTRY = resolve(isBuildFresh() ? 'dist/bin.mjs' : 'emulator/cli/bin.ts')

/** The command line of `tenantry`, for programs that start it themselves. */
export const CLI_COMMAND: readonly string[] = [process.execPath, ENTRY]

const ENGINE_VARIABLES: Readonly<Record<string, string>> =
  TEST_DATABASE_URL === undefined
    ? {}
    : { TENANTRY_ENGINE: 'postgres', TENANTRY_DATABASE_URL: TEST_DATABASE_URL }

/**
 * Runs `tenantry <args>`. `entry` replaces the command, e.g. with flags of Node before the file.
 * @param env beside this process's own environment
 */
export function runCli(
  args: readonly string[],
  entry: readonly string[] = [ENTRY],
  env: Readonly<Record<string, string>> = {},
): CliProcess {
  return runProgram([process.execPath, ...entry, ...args], env)
}

/** As `runCli`, with another working directory. */
export function runCliIn(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CliProcess {
  return runProgram([process.execPath, ENTRY, ...args], env, folder)
}

/** As `runCliIn`, with an input to write to: `child.stdin`. */
export function runCliWithInput(folder: string, args: readonly string[]): CliProcess {
  return runProgram([process.execPath, ENTRY, ...args], {}, folder, 'pipe')
}

/**
 * As `runCli`, in a process that may have this number of files open at once. Needs a POSIX shell.
 */
export function runCliWithDescriptors(descriptors: number, args: readonly string[]): CliProcess {
  const limited = `ulimit -n ${descriptors} && exec "$0" "$@"`
  return runProgram(['/bin/sh', '-c', limited, process.execPath, ENTRY, ...args])
}

/** Runs `tenantry` by any command line that ends in it. */
export function runProgram(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd: string = process.cwd(),
  input: 'ignore' | 'pipe' = 'ignore',
): CliProcess {
  const child = spawn(program, args, {
    stdio: [input, 'pipe', 'pipe'],
    cwd,
    env: { ...process.env, ...ENGINE_VARIABLES, ...env },
  })
  let stdout = ''
  let stderr = ''
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ready = new Promise<ReadyLine>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
      const line = stdout.split('\n').find((text) => text.startsWith('{') && text.endsWith('}'))
      if (line !== undefined) resolve(JSON.parse(line) as ReadyLine)
    })
    void ended.then(({ code }) =>
      reject(new Error(`ended with ${code} before it was ready: ${stderr}`)),
    )
  })
  ready.catch(() => undefined)
  return { child, ready, ended }
}

/** A folder that is gone after the test file. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'tenantry-test-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Whether no source of the command changed since the last build. */
function isBuildFresh(): boolean {
  const built = statSync('dist/bin.mjs', { throwIfNoEntry: false })?.mtimeMs ?? 0
  return readdirSync('emulator', { recursive: true, encoding: 'utf8' }).every(
    (file) => statSync(join('emulator', file)).mtimeMs <= built,
  )
}
