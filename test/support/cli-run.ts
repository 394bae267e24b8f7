// Runs `tenantry` within this process. Tests about the process itself start a separate process (cli-process.ts): kills, pipes,
// jobs, exit by an unhandled signal, and the built command.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { finished } from 'node:stream/promises'
import { runCommandLine } from '../../emulator/cli/main.ts'
import type { Terminal } from '../../emulator/cli/terminal.ts'
import type { ReadyLine } from '../../emulator/index.ts'
import { ENGINE_VARIABLES, type Ended, readyLineIn } from './cli-process.ts'

export interface CliRun {
  readonly child: CliTerminal
  /** Resolves with the ready line of `--json`; rejects when the command ends first. */
  readonly ready: Promise<ReadyLine>
  readonly ended: Promise<Ended>
}

/** Runs `tenantry <args>` in the working folder of the tests. @param env variables in addition to this process's environment */
export function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CliRun {
  return runCliIn(process.cwd(), args, env)
}

/** Same as `runCli`, with another working folder. */
export function runCliIn(
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): CliRun {
  const leave = enter(folder, { ...ENGINE_VARIABLES, ...env })
  const child = new CliTerminal()
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => {
      written[name] += chunk.toString()
    })
  const ended = runCommandLine(args, child).then(async (): Promise<Ended> => {
    leave()
    child.end()
    await Promise.all([finished(child.stdout), finished(child.stderr)])
    return { code: Number(child.exitCode), signal: null, ...written }
  })
  const ready = new Promise<ReadyLine>((resolve, reject) => {
    child.stdout.on('data', () => {
      const line = readyLineIn(written.stdout)
      if (line !== undefined) resolve(line)
      // Restores folder and environment when the emulator is ready, because it has then found its files.
      if (line !== undefined || written.stdout.includes('Tenantry is ready')) leave()
    })
    void ended.then(({ code, stderr }) =>
      reject(new Error(`ended with ${code} before it was ready: ${stderr}`)),
    )
  })
  ready.catch(() => undefined)
  return { child, ready, ended }
}

/** The terminal of one run, which the test writes to, reads from and sends signals to. */
class CliTerminal extends EventEmitter implements Terminal {
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  exitCode = 0
  #isEnded = false

  exit(code: number): void {
    this.exitCode = code
    this.end()
  }

  /** Sends a signal that the command handles. The default action of signals would end the tests. */
  kill(signal: NodeJS.Signals): void {
    if (this.#isEnded) return
    if (!this.emit(signal)) throw new Error(`${signal} needs a process of its own: spawnCli`)
  }

  /** Closes the streams and reports the exit, as the end of a process does. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.emit('exit')
    this.stdout.end()
    this.stderr.end()
  }
}

interface Surroundings {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}
let entered: { readonly at: string; count: number; readonly leave: () => void } | undefined

/**
 * Changes folder and environment of this process until the caller calls the returned function. Commands find their files through
 * both.
 */
function enter(folder: string, env: Surroundings['env']): () => void {
  const at = JSON.stringify([folder, env])
  if (entered !== undefined && entered.at !== at)
    throw new Error('commands that start at once need the same folder and environment')
  entered ??= { at, count: 0, leave: change({ folder, env }) }
  const own = entered
  own.count += 1
  let isIn = true
  return () => {
    if (!isIn) return
    isIn = false
    own.count -= 1
    if (own.count > 0) return
    entered = undefined
    own.leave()
  }
}

function change({ env, folder }: Surroundings): () => void {
  const before = process.cwd()
  const kept = Object.keys(env).map((name) => [name, process.env[name]] as const)
  process.chdir(folder)
  Object.assign(process.env, env)
  return () => {
    process.chdir(before)
    for (const [name, value] of kept)
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
  }
}
