// Runs Vite's development server as a process in an application's folder, as its developers do.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { until } from './until.ts'

export interface ViteServer {
  readonly child: ChildProcess
  /** Everything that Vite has printed so far. */
  said(): string
  /** Waits until Vite has printed a text that matches, and returns the match. */
  says(pattern: RegExp): Promise<string>
  /** Sends the signal and waits for the end of the process. */
  end(signal?: NodeJS.Signals): Promise<void>
}

/** @param folder the application, which finds `vite` in a folder `node_modules` */
export function runVite(
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): ViteServer {
  // vitest's own variables would stop the plugin.
  const { VITEST: _vitest, VITEST_MODE: _mode, NODE_ENV: _node, ...own } = process.env
  const child = spawn(process.execPath, [viteOf(folder), ...args], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...own, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => {
      said += stripVTControlCharacters(bytes.toString())
    })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let isEnded = false
  void ended.then(() => {
    isEnded = true
  })
  return {
    child,
    said: () => said,
    says: async (pattern) => {
      await until(() => pattern.test(said) || isEnded, 60_000)
      const [found] = pattern.exec(said) ?? []
      if (found === undefined) throw new Error(`Vite ended without ${pattern}: ${said}`)
      return found
    },
    end: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}

/** The address of the emulator that runs for the folder; `undefined` when none runs. */
export function runningIn(
  folder: string,
): { readonly pid: number; readonly url: string } | undefined {
  const file = join(folder, '.tenantry/running.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function viteOf(folder: string): string {
  const manifest = createRequire(join(folder, 'package.json')).resolve('vite/package.json')
  return join(manifest, '../bin/vite.js')
}
