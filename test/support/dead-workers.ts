// Reports vitest's worker processes that died: the signal, the message of V8, and the files without a result. vitest itself only
// counts them. In rare cases V8 aborts a process that opened many engines, when it frees code of their wasm. The message is then
// "Check failed: jit_page_->allocations_.erase(addr) == 1" (https://github.com/nodejs/node/issues/64500). `.ci/run` runs the
// files without a result once more.
import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Paths of the files to run again, one per line. The file is absent when a test failed or no process was aborted. */
const AGAIN_FILE = '.cache/tests-to-run-again'
/** Signals with which V8 ends a process whose state is damaged. */
const ABORTS: readonly unknown[] = ['SIGABRT', 'SIGILL', 'SIGSEGV', 'SIGTRAP']
/** Number of characters of each worker's standard error to keep. */
const KEPT_CHARACTERS = 4_000

export interface DeadWorker {
  readonly code: number | null
  readonly signal: string | null
  /** The last characters of the worker's standard error. */
  readonly said: string
}

export class DeadWorkers implements Reporter {
  readonly #dead: DeadWorker[] = []

  onInit(): void {
    rmSync(AGAIN_FILE, { force: true })
    subscribe('child_process', (message) => {
      const { process: child } = message as { readonly process: ChildProcess }
      child.once('spawn', () => {
        if (child.spawnargs.some((word) => word.includes('vitest'))) this.#watch(child)
      })
    })
  }

  #watch(child: ChildProcess): void {
    let said = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-KEPT_CHARACTERS)
    })
    child.once('exit', (code, signal) => {
      if (code !== 0 && !child.killed) this.#dead.push({ code, signal, said })
    })
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const unended = modules.filter((module) => ['queued', 'pending'].includes(module.state()))
    const files = unended.map((module) => module.relativeModuleId)
    for (const line of describeDeaths(this.#dead, files)) console.log(line)
    const hasFailure = modules.some((module) => module.state() === 'failed')
    if (hasFailure || !mayRunAgain(this.#dead, files)) return
    mkdirSync(dirname(AGAIN_FILE), { recursive: true })
    writeFileSync(AGAIN_FILE, files.map((file) => `${file}\n`).join(''))
  }
}

/** Whether the files without a result may run again: there are such files, and V8 aborted each dead worker. */
export function mayRunAgain(dead: readonly DeadWorker[], files: readonly string[]): boolean {
  return files.length > 0 && dead.length > 0 && dead.every(({ signal }) => ABORTS.includes(signal))
}

/** Lines for each dead worker and for each file without a result. */
export function describeDeaths(
  dead: readonly DeadWorker[],
  files: readonly string[],
): readonly string[] {
  const deaths = dead.flatMap(({ code, signal, said }) => [
    `\nA worker of vitest ended: code ${code}, signal ${signal}. Its last words:`,
    said.trim(),
  ])
  return files.length === 0 ? deaths : [...deaths, '\nFiles that did not end', ...files]
}
