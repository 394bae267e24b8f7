// Sends requests and changes as spans and metrics over OTLP with the SDK of OpenTelemetry. assembly/open-telemetry.ts imports this
// file only when `otlp` is configured. Registers nothing globally, so that a program's own SDK stays as it is.
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { parseTraceParent, TraceState } from '@opentelemetry/core'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Clock } from '../../core/clock.ts'
import { defined } from '../../core/defined.ts'
import type { HeaderReader } from '../../core/headers.ts'
import type { Observer } from '../../core/observation.ts'
import { type FollowDeps, type FollowedRequest, followRequests } from './follow-requests.ts'
import { createMetrics } from './request-metrics.ts'
import { type DescribedSpan, requestSpan } from './request-span.ts'
import { reportingExporter, watchDelivery } from './watch-delivery.ts'

export interface TelemetryDeps extends Pick<FollowDeps, 'journal' | 'recordings'> {
  /** Address of the collector. `undefined` takes the address from the SDK's variables. */
  readonly address: string | undefined
  readonly version: string
  readonly wallClock: Clock
  readonly addObserver: (observer: Observer) => void
  /** Gets one warning when sending begins to fail. */
  readonly report: Observer
}

export interface Telemetry {
  /** Sends what is left, for two seconds at most. Never rejects. */
  close(): Promise<void>
}

const DEFAULT_ADDRESS = 'http://localhost:4318'
const SCOPE = 'tenantry'
/** Wall-clock milliseconds that spans and metrics wait, to be sent together. A developer looks at them at once. */
const SPAN_DELAY_MILLIS = 500
const METRIC_DELAY_MILLIS = 10_000
const METRIC_TIMEOUT_MILLIS = 5_000
/** Wall-clock milliseconds that the stop of the emulator waits for the collector. */
const CLOSE_MILLIS = 2_000

export function openTelemetry(deps: TelemetryDeps): Telemetry {
  const { address, addObserver, report, version, wallClock } = deps
  const base = address?.replace(/\/+$/, '')
  const note = watchDelivery(originOf(base ?? addressOfShell()), report)
  const urlOf = (path: string) => defined({ url: base && `${base}${path}` })
  const resource = resourceOf(version)
  const tracing = new TracerProvider({
    resource,
    // An application that decided not to sample its trace also decides for the spans of its requests here.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportingExporter(new OTLPTraceExporter(urlOf('/v1/traces')), note('spans')),
        scheduledDelayMillis: SPAN_DELAY_MILLIS,
      }),
    ],
  })
  const metering = new MeterProvider({
    resource,
    readers: [
      new PeriodicExportingMetricReader({
        exporter: reportingExporter(new OTLPMetricExporter(urlOf('/v1/metrics')), note('metrics')),
        exportIntervalMillis: METRIC_DELAY_MILLIS,
        exportTimeoutMillis: METRIC_TIMEOUT_MILLIS,
      }),
    ],
  })
  const tracer = tracing.getTracer(SCOPE, version)
  const metrics = createMetrics(metering.getMeter(SCOPE, version))
  addObserver((observation) => {
    if (observation.kind === 'changeJudged') metrics.countChange(observation)
  })
  const following = followRequests({
    ...deps,
    take: (requests) => {
      for (const request of requests) {
        startSpan(tracer, requestSpan(request), parentOf(request))
        metrics.measure(request)
      }
    },
  })
  return {
    close: () => {
      following.flush()
      return atMost(wallClock, [tracing.shutdown(), metering.shutdown()])
    },
  }
}

function resourceOf(version: string): Resource {
  return resourceFromAttributes({ 'service.name': SCOPE, 'service.version': version }).merge(
    detectResources({ detectors: [envDetector] }),
  )
}

// The rest of an address can hold a password.
function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address
}

function addressOfShell(): string {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = process.env
  return own || all || DEFAULT_ADDRESS
}

function parentOf({ timed }: FollowedRequest): Context {
  const parent = timed && readParent(timed.headers)
  return parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
}

/** Reads the caller's span (W3C Trace Context §3.2, §3.3). A malformed header starts a new trace, as the standard says. */
function readParent(headers: HeaderReader) {
  const parent = parseTraceParent(headers.get('traceparent') ?? '')
  if (parent === null) return undefined
  const state = headers.get('tracestate')
  const traceState = state === null ? undefined : new TraceState(state)
  return { ...parent, isRemote: true, ...defined({ traceState }) }
}

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const

function startSpan(tracer: Tracer, described: DescribedSpan, parent: Context): void {
  const { attributes, children, end, failure, kind, name, start } = described
  const span = tracer.startSpan(
    name,
    { kind: KINDS[kind], startTime: hrTimeOf(start), attributes: sent(attributes) },
    parent,
  )
  if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
  for (const child of children) startSpan(tracer, child, trace.setSpan(parent, span))
  span.end(hrTimeOf(end))
}

function sent(attributes: DescribedSpan['attributes']): Attributes {
  return defined({ ...attributes })
}

// The SDK takes a small number for a time since the start of the process, so it gets seconds and nanoseconds.
function hrTimeOf(millis: number): [seconds: number, nanos: number] {
  const seconds = Math.floor(millis / 1_000)
  return [seconds, Math.round((millis - seconds * 1_000) * 1_000_000)]
}

function atMost(wallClock: Clock, work: readonly Promise<unknown>[]): Promise<void> {
  return new Promise((resolve) => {
    const cancel = wallClock.after(CLOSE_MILLIS, resolve)
    void Promise.allSettled(work).then(() => {
      cancel()
      resolve()
    })
  })
}
