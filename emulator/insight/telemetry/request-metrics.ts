// Metrics of requests and row changes. Names and buckets of the duration are those of the semantic conventions for HTTP metrics.
import { type Attributes, type Meter, ValueType } from '@opentelemetry/api'
import { defined } from '../../core/defined.ts'
import type { ChangeJudged } from '../../core/observation.ts'
import type { FollowedRequest } from './follow-requests.ts'
import { queueMillis, routeAttributes } from './request-span.ts'

export interface TelemetryMetrics {
  measure(request: FollowedRequest): void
  countChange(change: ChangeJudged): void
}

/** Seconds (semantic conventions, `http.server.request.duration`). */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10]
/** Most requests wait less than a millisecond. */
const QUEUE_BUCKETS = [0.0005, 0.001, 0.0025, ...BUCKETS]

export function createMetrics(meter: Meter): TelemetryMetrics {
  const duration = meter.createHistogram('http.server.request.duration', {
    description: 'Duration of HTTP server requests.',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS },
  })
  const wait = meter.createHistogram('tenantry.queue.wait', {
    description: 'Time that requests waited for the database engine.',
    unit: 's',
    advice: { explicitBucketBoundaries: QUEUE_BUCKETS },
  })
  const changes = meter.createCounter('tenantry.changes', {
    description: 'Row changes that realtime judged.',
    unit: '{change}',
    valueType: ValueType.INT,
  })
  return {
    measure: ({ finished, timed }) => {
      // A turn of the Postgres port is no HTTP request.
      if (finished.service === 'postgres') return
      const attributes: Attributes = defined({
        ...routeAttributes(finished),
        'url.scheme': timed === undefined ? undefined : timed.url.split(':', 1)[0],
      })
      duration.record(finished.durationMillis / 1_000, attributes)
      const queued = queueMillis(timed?.stages ?? [])
      if (queued !== undefined)
        wait.record(queued / 1_000, defined({ 'tenantry.tenant': attributes['tenantry.tenant'] }))
    },
    countChange: ({ change, schemaName, table }) => {
      changes.add(1, {
        'tenantry.tenant': schemaName.replace(/^proj_/, ''),
        'db.collection.name': table,
        'db.operation.name': change,
      })
    },
  }
}
