// Opens telemetry when `otlp` is configured. The SDK of OpenTelemetry is loaded only then.
import { version } from '../core/version.ts'
import type { Telemetry, TelemetryDeps } from '../insight/telemetry/open-telemetry.ts'
import type { Foundation } from './open-foundation.ts'

const OFF: Telemetry = { close: () => Promise.resolve() }

/** The variable `OTEL_SDK_DISABLED` of OpenTelemetry's specification turns telemetry off for every program of a shell. */
export async function openConfiguredTelemetry(
  { addObserver, config, journal, observe, wallClock }: Foundation,
  recordings: TelemetryDeps['recordings'],
): Promise<Telemetry> {
  if (config.otlp === false || process.env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true')
    return OFF
  const { openTelemetry } = await import('../insight/telemetry/open-telemetry.ts')
  return openTelemetry({
    address: config.otlp === true ? undefined : config.otlp,
    version,
    journal,
    recordings,
    wallClock,
    addObserver,
    report: observe,
  })
}
