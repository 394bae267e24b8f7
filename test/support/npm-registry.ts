// Installs packages of the npm registry for tests in test/package.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Titles of skipped tests, and what their `skip` says. */
export const NO_REGISTRY = 'The npm registry cannot be reached.'

/** Runs npm in a folder. Returns what it prints. */
export function npm(args: readonly string[], cwd: string): string {
  return execFileSync('npm', args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  })
}

/** Whether the registry that npm is configured with answers. */
export async function answersRegistry(): Promise<boolean> {
  const registry = npm(['config', 'get', 'registry'], '.').trim()
  const answer = await fetch(`${registry.replace(/\/$/, '')}/detect-libc`, {
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined)
  return answer?.ok === true
}

/** What the package needs at run time besides its dependencies, which Node finds in this repository. */
const PACKAGE_PARTS = ['package.json', 'dist', 'fixtures', 'emulator/database/tenant-schema']

/**
 * Installs packages into `.cache/doors/<name>` once, and copies the built package `tenantry` beside them. Samples that are copied
 * into the folder find both.
 * @param packages as `name@version range`
 */
export function cachedInstall(name: string, packages: readonly string[]): string {
  const folder = resolve('.cache/doors', name)
  const wanted = join(folder, `installed-${packages.join(' ').replaceAll('/', '-')}`)
  if (!existsSync(wanted)) {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
    npm(['install', '--no-audit', '--no-fund', '--ignore-scripts', ...packages], folder)
    writeFileSync(wanted, '')
  }
  const own = join(folder, 'node_modules/tenantry')
  rmSync(own, { recursive: true, force: true })
  for (const part of PACKAGE_PARTS) cpSync(part, join(own, part), { recursive: true })
  return folder
}

/** Copies a sample of fixtures/samples into a folder of `cachedInstall`. Returns its path. */
export function copySample(sample: string, into: string): string {
  const folder = join(into, `app-${sample}`)
  rmSync(folder, { recursive: true, force: true })
  cpSync(join('fixtures/samples', sample), folder, { recursive: true })
  return folder
}
