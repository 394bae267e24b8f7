// Reports once when a collector cannot be reached, and once when it takes data again. Spans and metrics have exporters of their
// own, and a collector that is down fails both.
import { EmulatorError } from '../../core/errors.ts'
import type { Observer } from '../../core/observation.ts'

/** The part of the SDK's `ExportResult` that matters here. The code 0 means success. */
interface Delivered {
  readonly code: number
  readonly error?: Error
}

interface Exporter<Items, Result extends Delivered> {
  export(items: Items, done: (result: Result) => void): void
}

type Note = (result: Delivered) => void

/** Returns a function that makes the listener of one kind of data. @param origin of the collector */
export function watchDelivery(origin: string, report: Observer): (kind: string) => Note {
  const work = `send telemetry to ${origin}`
  const failing = new Map<string, string>()
  let failures = 0
  return (kind) => (result) => {
    if (result.code === 0) {
      if (failing.delete(kind) && failing.size === 0) {
        report({ kind: 'backgroundResumed', work, failures })
        failures = 0
      }
      return
    }
    const reason = reasonOf(result.error, kind)
    const isKnown = failing.has(kind) || [...failing.values()].includes(reason)
    failures += 1
    failing.set(kind, reason)
    if (!isKnown) report({ kind: 'backgroundFailed', work, error: new DeliveryError(reason) })
  }
}

class DeliveryError extends EmulatorError {
  override readonly code = 'not_delivered'
}

// Node's error for a refused connection has an empty message when a name has several addresses.
function reasonOf(error: Error | undefined, kind: string): string {
  if (error === undefined) return `it took no ${kind}.`
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'it refused the connection.'
  return `it took no ${kind} (${message || code}).`
}

/** Makes the exporter pass each result to `note`, too. */
export function reportingExporter<
  Items,
  Result extends Delivered,
  Sender extends Exporter<Items, Result>,
>(exporter: Sender & Exporter<Items, Result>, note: Note): Sender {
  const send = exporter.export.bind(exporter)
  exporter.export = (items, done) => {
    send(items, (result) => {
      note(result)
      done(result)
    })
  }
  return exporter
}
