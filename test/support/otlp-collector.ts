// A collector for tests. Decodes OTLP/HTTP in its JSON form by the messages of opentelemetry-proto 1.x (trace.proto, metrics.proto,
// common.proto). Unknown fields are problems, so that a test fails when a message has another form.
import { createServer } from 'node:http'
import { z } from 'zod'

const Scalar = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ boolValue: z.boolean() }),
  // A 64-bit integer is a decimal string or a number in the JSON form of protobuf.
  z.strictObject({ intValue: z.union([z.string().regex(/^-?\d+$/), z.int()]) }),
  z.strictObject({ doubleValue: z.number() }),
])
const Attributes = z
  .array(
    z.strictObject({
      key: z.string().min(1),
      value: z.union([
        Scalar,
        z.strictObject({ arrayValue: z.strictObject({ values: z.array(Scalar) }) }),
      ]),
    }),
  )
  .transform((all) =>
    Object.fromEntries(all.map(({ key, value }) => [key, Object.values(value)[0]])),
  )
/** `fixed64` in the JSON form of protobuf. */
const Nanos = z.string().regex(/^\d{19}$/)
const Count = z.union([z.string().regex(/^\d+$/), z.int().min(0)]).transform(Number)
const Resource = z.strictObject({
  attributes: Attributes,
  droppedAttributesCount: z.exactOptional(z.int()),
})
const Scope = z.strictObject({ name: z.string(), version: z.exactOptional(z.string()) })

const Span = z.strictObject({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.exactOptional(z.string().regex(/^[0-9a-f]{16}$/)),
  traceState: z.exactOptional(z.string()),
  flags: z.exactOptional(z.int()),
  name: z.string().min(1),
  kind: z.int().min(1).max(5),
  startTimeUnixNano: Nanos,
  endTimeUnixNano: Nanos,
  attributes: Attributes,
  droppedAttributesCount: z.exactOptional(z.literal(0)),
  events: z.exactOptional(z.array(z.never())),
  droppedEventsCount: z.exactOptional(z.literal(0)),
  links: z.exactOptional(z.array(z.never())),
  droppedLinksCount: z.exactOptional(z.literal(0)),
  status: z.strictObject({
    code: z.exactOptional(z.int().min(0).max(2)),
    message: z.exactOptional(z.string()),
  }),
})
export type CollectedSpan = z.output<typeof Span>

const TraceRequest = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: Resource,
      scopeSpans: z.array(
        z.strictObject({
          scope: Scope,
          spans: z.array(Span),
          schemaUrl: z.exactOptional(z.string()),
        }),
      ),
      schemaUrl: z.exactOptional(z.string()),
    }),
  ),
})

const Point = { startTimeUnixNano: Nanos, timeUnixNano: Nanos, attributes: Attributes }
const HistogramPoint = z.strictObject({
  ...Point,
  count: Count,
  sum: z.number(),
  bucketCounts: z.array(Count),
  explicitBounds: z.array(z.number()),
  min: z.exactOptional(z.number()),
  max: z.exactOptional(z.number()),
  flags: z.exactOptional(z.int()),
  exemplars: z.exactOptional(z.array(z.never())),
})
const NumberPoint = z.strictObject({
  ...Point,
  asInt: z.exactOptional(Count),
  asDouble: z.exactOptional(z.number()),
  flags: z.exactOptional(z.int()),
  exemplars: z.exactOptional(z.array(z.never())),
})
const Temporality = z.int().min(1).max(2)
const Metric = z.strictObject({
  name: z.string().min(1),
  description: z.string(),
  unit: z.string(),
  histogram: z.exactOptional(
    z.strictObject({ aggregationTemporality: Temporality, dataPoints: z.array(HistogramPoint) }),
  ),
  sum: z.exactOptional(
    z.strictObject({
      aggregationTemporality: Temporality,
      isMonotonic: z.boolean(),
      dataPoints: z.array(NumberPoint),
    }),
  ),
})
export type CollectedMetric = z.output<typeof Metric>

const MetricRequest = z.strictObject({
  resourceMetrics: z.array(
    z.strictObject({
      resource: Resource,
      scopeMetrics: z.array(
        z.strictObject({
          scope: Scope,
          metrics: z.array(Metric),
          schemaUrl: z.exactOptional(z.string()),
        }),
      ),
      schemaUrl: z.exactOptional(z.string()),
    }),
  ),
})

export interface Collector extends AsyncDisposable {
  readonly url: string
  readonly spans: CollectedSpan[]
  /** Each export replaces the metrics, because their values are cumulative. */
  metrics: readonly CollectedMetric[]
  /** Attributes of the resource that sent something. */
  resource: Readonly<Record<string, unknown>>
  /** Headers of the last message. */
  headers: Readonly<Record<string, unknown>>
  /** Messages that do not have the published form. */
  readonly problems: string[]
}

/** Listens on a free port, or on `port`. */
export async function startCollector(port = 0): Promise<Collector> {
  const problems: string[] = []
  const spans: CollectedSpan[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      collector.headers = request.headers
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
      try {
        if (request.url === '/v1/traces') takeSpans(body)
        else if (request.url === '/v1/metrics') takeMetrics(body)
        else problems.push(`sent to ${request.url}`)
      } catch (error) {
        problems.push(String(error))
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  function takeSpans(body: unknown): void {
    for (const { resource, scopeSpans } of TraceRequest.parse(body).resourceSpans) {
      collector.resource = resource.attributes
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    }
  }
  function takeMetrics(body: unknown): void {
    collector.metrics = MetricRequest.parse(body).resourceMetrics.flatMap(({ scopeMetrics }) =>
      scopeMetrics.flatMap(({ metrics }) => metrics),
    )
  }
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  const taken = typeof address === 'object' ? address?.port : undefined
  const collector: Collector = {
    url: `http://127.0.0.1:${taken}`,
    spans,
    metrics: [],
    resource: {},
    headers: {},
    problems,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return collector
}
