// The engine of emulators that tests start.

import { defined } from '../../core/defined.ts'
import type { EmulatorConfig } from '../config.ts'

/**
 * Adds the engine that TENANTRY_ENGINE and TENANTRY_DATABASE_URL choose, as they do for the commands (docs/reference/environment.md),
 * unless the configuration chooses one. An unknown name is refused when the emulator is created.
 */
export function withEngineOfEnvironment(config: EmulatorConfig = {}): EmulatorConfig {
  if (config.engine !== undefined || config.databaseUrl !== undefined) return config
  const { TENANTRY_ENGINE: engine, TENANTRY_DATABASE_URL: databaseUrl } = process.env
  const chosen = { engine: engine as EmulatorConfig['engine'], databaseUrl }
  return { ...config, ...defined(engine === 'embedded' ? { engine: chosen.engine } : chosen) }
}
