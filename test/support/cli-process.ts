// Runs `tenantry` as a separate process, calls it over its port, and ends it as a user or a power cut would. Commands that need no
// process of their own run in cli-run.ts, which takes a tenth of the time.
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

// Uses the built command, which starts in two thirds of the time, unless the source has changed since the build.
const ENTRY = resolve(isBuildFresh() ? 'dist/bin.mjs' : 'emulator/cli/bin.ts')

/** The command line of `tenantry`, for programs that start the command themselves. */
export const CLI_COMMAND: readonly string[] = [process.execPath, ENTRY]

/** The environment that chooses the engine of this run. */
export const ENGINE_VARIABLES: Readonly<Record<string, string>> =
  TEST_DATABASE_URL === undefined
    ? {}
    : { TENANTRY_ENGINE: 'postgres', TENANTRY_DATABASE_URL: TEST_DATABASE_URL }

/** Runs `tenantry <args>`. @param env variables in addition to this process's environment */
export function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CliProcess {
  return runProgram([...CLI_COMMAND, ...args], env)
}

/** Same as `spawnCli`, with another working directory. */
export function spawnCliIn(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CliProcess {
  return runProgram([...CLI_COMMAND, ...args], env, folder)
}

/** Same as `spawnCliIn`, with an input that the test can write to: `child.stdin`. */
export function spawnCliWithInput(folder: string, args: readonly string[]): CliProcess {
  return runProgram([...CLI_COMMAND, ...args], {}, folder, 'pipe')
}

/** Same as `spawnCli`, with a limit of open files for the process. Needs a POSIX shell. */
export function spawnCliWithDescriptors(descriptors: number, args: readonly string[]): CliProcess {
  const limited = `ulimit -n ${descriptors} && exec "$0" "$@"`
  return runProgram(['/bin/sh', '-c', limited, process.execPath, ENTRY, ...args])
}

/** Runs any command line that starts `tenantry`. */
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
      const line = readyLineIn(stdout)
      if (line !== undefined) resolve(line)
    })
    void ended.then(({ code }) =>
      reject(new Error(`ended with ${code} before it was ready: ${stderr}`)),
    )
  })
  ready.catch(() => undefined)
  return { child, ready, ended }
}

/** The first line of JSON that a command printed. */
export function readyLineIn(stdout: string): ReadyLine | undefined {
  const line = stdout.split('\n').find((text) => text.startsWith('{') && text.endsWith('}'))
  return line === undefined ? undefined : (JSON.parse(line) as ReadyLine)
}

/** Creates a temporary folder. `remove` deletes it. */
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
