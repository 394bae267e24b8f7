// `tenantry/vitest/setup` is a global setup of vitest. The setup starts one emulator in memory for all workers, and the pool
// of their tenants.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { findApplicationFolder } from '../../workflow/fixtures/read/application-folder.ts'
import type { EmulatorConfig } from '../config.ts'
import { applicationImage } from '../engine/application-image.ts'
import { openEmulator, readAhead } from '../library/emulator.ts'
import { type Platform, remotePlatform } from './platform.ts'
import { servePool } from './pool-server.ts'
import { createTenantPool } from './tenant-pool.ts'
import { createTenants, makeGroup } from './tenants.ts'
import type { ProvidedPlatform } from './vitest.ts'
import { withEngineOfEnvironment } from './vitest-engine.ts'

/** Options of the global setup. */
export interface SetupOptions {
  /**
   * Fixture folder, relative to the project's root (default: `tenantry`, when it has a fixture and `sql` is absent). Tests get
   * tenants of its first group, or of `group`.
   */
  readonly fixture?: string
  /** Name of the group whose template the tenants are cloned from. */
  readonly group?: string
  /** SQL files of the template, relative to the project's root. The setup uses them instead of a fixture's group. */
  readonly sql?: readonly string[]
  /** Number of tenants to keep in stock (default: the number of vitest's workers). */
  readonly warm?: number
  /** Configuration of the emulator that this setup starts. TENANTRY_ENGINE chooses its engine by default. */
  readonly config?: EmulatorConfig
}

const GROUP_OF_SQL = 'Tests'

/** Vitest's setup hook. Opens everything and returns the function that closes it. */
export type Setup = (project: TestProject) => Promise<() => Promise<void>>

/**
 * Creates a global setup with options: `export const setup = platformSetup({ sql: ['schema.sql'] })` in a file that
 * `globalSetup` names. Inside `tenantry exec`, the setup uses the emulator and the fixture of `exec`.
 */
export function platformSetup(options: SetupOptions = {}): Setup {
  return async (project) => {
    const { root } = project.config
    const { platform, close } = await openPlatform(options, root)
    const group = options.sql === undefined ? options.group : GROUP_OF_SQL
    if (options.sql !== undefined)
      await makeGroup(platform, {
        name: GROUP_OF_SQL,
        template: 'test_template',
        sql: options.sql.map((file) => readFileSync(resolve(root, file), 'utf8')),
      })
    const warm = options.warm ?? Math.min(Math.max(Number(project.config.maxWorkers) || 1, 1), 16)
    const pool = createTenantPool(platform, createTenants(platform), { group, warm })
    const server = await servePool(pool)
    const provided: ProvidedPlatform = { url: platform.origin, pool: server.url }
    project.provide('tenantry', provided)
    return async () => {
      await server.close()
      await pool.settle()
      await close()
    }
  }
}

/** The setup without options. */
export const setup: Setup = platformSetup()

/** Whether the configuration chooses a server. Only the embedded engine can start from an image. */
function usesServer({ engine, databaseUrl }: EmulatorConfig): boolean {
  return engine === 'postgres' || databaseUrl !== undefined
}

interface OpenPlatform {
  readonly platform: Platform
  close(): Promise<void>
}

async function openPlatform(options: SetupOptions, root: string): Promise<OpenPlatform> {
  const config = withEngineOfEnvironment(options.config)
  const { TENANTRY_INFO: inside, TENANTRY_AUTH_URL: url } = process.env
  if (inside !== undefined && url !== undefined)
    return { platform: remotePlatform(url), close: () => Promise.resolve() }
  const folder = fixtureOf(options, root)
  const fixture = folder === undefined ? undefined : await readAhead(folder)
  const image = fixture && !usesServer(config) ? await applicationImage(root, fixture) : undefined
  const preparedImage = image?.path
  if (image?.problem !== undefined)
    process.stderr.write(
      `Each test run carries out all steps again, because they cannot be kept in the cache: ${image.problem}.\n`,
    )
  const emulator = await openEmulator(config, [], { preparedImage })
  try {
    const { port } = await emulator.listen({ port: 0, host: '127.0.0.1' })
    if (fixture !== undefined) await emulator.applyFixture(fixture)
    const platform = remotePlatform(`http://127.0.0.1:${port}`, config.adminToken)
    return { platform, close: () => emulator.close() }
  } catch (error) {
    await emulator.close()
    throw error
  }
}

function fixtureOf({ fixture, sql }: SetupOptions, root: string): string | undefined {
  if (fixture !== undefined) return resolve(root, fixture)
  return sql === undefined ? findApplicationFolder(root) : undefined
}
