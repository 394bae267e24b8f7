// The configuration of a group of cases, with the option names of PostgREST's manual. An option that the host does not know fails
// the group (PostgREST, "Configuration").
import { z } from 'zod'
import type { DataSettings, QualifiedName } from '../../emulator/services/data/settings.ts'
import { isolationOf } from '../../emulator/services/data/transaction-settings.ts'
import { parseRoleClaimPath } from './role-claim.ts'

// The manual has text with commas for these options. A group may also have a list.
const list = z.preprocess(splitOnCommas, z.array(z.string()))
// An option with an empty text counts as not set.
const text = z.preprocess((value) => (value === '' ? null : value), z.string().nullable())
const optionalList = z.preprocess(
  (value) => (value === '' ? null : splitOnCommas(value)),
  z.array(z.string()).nullable(),
)
const off = z.boolean().default(false)
const pairs = z.array(z.tuple([z.string(), z.string()]))

const OPTIONS = z.strictObject({
  'app.settings': pairs.default([]),
  'db-aggregates-enabled': off,
  'db-anon-role': text.default(null),
  'db-extra-search-path': list.default(['public']),
  'db-hoisted-tx-settings': list.default([
    'statement_timeout',
    'plan_filter.statement_cost_limit',
    'default_transaction_isolation',
  ]),
  'db-max-rows': z.number().int().nonnegative().nullable().default(null),
  'db-plan-enabled': off,
  // PostgREST reads options from the database when it starts. The host does not support such options.
  'db-config': z.literal(false).default(false),
  'db-pre-config': z.null().default(null),
  'db-pre-request': text.default(null),
  'db-root-spec': text.default(null),
  'db-schemas': list.default(['public']),
  'db-tx-end': z
    .enum(['commit', 'commit-allow-override', 'rollback', 'rollback-allow-override'])
    .default('commit'),
  'jwt-aud': text.refine(isAudience, 'must be a URI where it has a colon').default(null),
  'jwt-role-claim-key': z
    .union([z.string(), z.array(z.string())])
    .transform(parseRoleClaimPath)
    .prefault('.role'),
  'jwt-secret': text
    .refine((secret) => secret?.startsWith('@') !== true, 'is not read from files here')
    .default(null),
  'jwt-secret-is-base64': off,
  'openapi-mode': z
    .enum(['follow-privileges', 'ignore-privileges', 'disabled'])
    .default('follow-privileges'),
  'openapi-security-active': off,
  'openapi-server-proxy-uri': text.refine(isProxyUri, 'must be an http(s) URI').default(null),
  // Settings of `ALTER ROLE … SET`, in addition to the settings in the catalogue.
  'role-isolation-levels': pairs.default([]),
  'role-settings': z.array(z.tuple([z.string(), pairs])).default([]),
  'server-cors-allowed-origins': optionalList.default(null),
  'server-host': z.string().default('!4'),
  'server-port': z.number().int().default(3000),
  'server-timing-enabled': off,
  'server-trace-header': text.default(null),
})

/** The options that the host uses. */
export type Configuration = z.infer<typeof OPTIONS>

// Options of pools, logs, sockets and caches, which have no effect that a client can observe.
const UNSEEN = new Set([
  'admin-server-host',
  'admin-server-port',
  'db-channel',
  'db-channel-enabled',
  'db-pool',
  'db-pool-acquisition-timeout',
  'db-pool-automatic-recovery',
  'db-pool-max-idletime',
  'db-pool-max-lifetime',
  'db-pool-size',
  'db-pool-timeout',
  'db-prepared-statements',
  'db-uri',
  'jwt-cache-max-entries',
  'log-level',
  'log-query',
  'server-unix-socket',
  'server-unix-socket-mode',
])

const ALIASES: Readonly<Record<string, string>> = {
  'db-schema': 'db-schemas',
  'max-rows': 'db-max-rows',
  'pre-request': 'db-pre-request',
  'role-claim-key': 'jwt-role-claim-key',
  'root-spec': 'db-root-spec',
  'secret-is-base64': 'jwt-secret-is-base64',
}

/** The group cannot run, because an option or the value of an option is unknown. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}

/** Reads options by name. @throws {ConfigurationError} */
export function parseConfiguration(given: Readonly<Record<string, unknown>>): Configuration {
  const known: Record<string, unknown> = {}
  const appSettings: unknown[] = []
  for (const [key, value] of Object.entries(given)) {
    const name = documentedName(key)
    if (name.startsWith('app.settings.')) appSettings.push([name, value])
    else if (!UNSEEN.has(name)) known[ALIASES[name] ?? name] = value
  }
  if (appSettings.length > 0)
    known['app.settings'] = [...((known['app.settings'] as unknown[]) ?? []), ...appSettings]
  const parsed = OPTIONS.safeParse(known)
  if (!parsed.success) throw new ConfigurationError(z.prettifyError(parsed.error))
  return parsed.data
}

// The corpus's tool uses the name of PostgREST's source, such as `configServerHost`, for options that it does not know.
function documentedName(key: string): string {
  if (!/^config[A-Z]/.test(key)) return key
  return key
    .slice('config'.length)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()
}

/** Returns the data plane's settings for a configuration. */
export function settingsOf(configuration: Configuration): DataSettings {
  return {
    schemas: configuration['db-schemas'],
    extraSearchPath: configuration['db-extra-search-path'],
    maxRows: configuration['db-max-rows'] ?? undefined,
    txEnd: configuration['db-tx-end'].startsWith('rollback') ? 'rollback' : 'commit',
    txAllowOverride: configuration['db-tx-end'].endsWith('allow-override'),
    aggregatesEnabled: configuration['db-aggregates-enabled'],
    planEnabled: configuration['db-plan-enabled'],
    openApiMode: configuration['openapi-mode'],
    hasOpenApiSecurity: configuration['openapi-security-active'],
    publicUrl: publicUrlOf(configuration),
    rootRoutine: qualifiedName(configuration['db-root-spec']),
    preRequest: qualifiedName(configuration['db-pre-request']),
    appSettings: Object.fromEntries(configuration['app.settings']),
    hoistedTxSettings: configuration['db-hoisted-tx-settings'],
    roleSettings: roleSettingsOf(configuration),
    timeoutMillis: 10_000,
  }
}

function roleSettingsOf(configuration: Configuration): NonNullable<DataSettings['roleSettings']> {
  const levels = new Map(configuration['role-isolation-levels'])
  const settings = new Map(configuration['role-settings'])
  return new Map(
    [...new Set([...levels.keys(), ...settings.keys()])].map((role) => [
      role,
      {
        isolation: isolationOf(levels.get(role) ?? ''),
        settings: Object.fromEntries(settings.get(role) ?? []),
      },
    ]),
  )
}

// Names that mean all addresses. The host in the OpenAPI document must be a single address.
const ALL_ADDRESSES: Readonly<Record<string, string>> = {
  '*': '0.0.0.0',
  '*4': '0.0.0.0',
  '!4': '0.0.0.0',
  '*6': '0.0.0.0',
  '!6': '0.0.0.0',
}

function publicUrlOf(configuration: Configuration): string {
  const host = configuration['server-host']
  return (
    configuration['openapi-server-proxy-uri'] ??
    `http://${ALL_ADDRESSES[host] ?? host}:${configuration['server-port']}/`
  )
}

// A name without a schema is found by the search path.
function qualifiedName(name: string | null): QualifiedName | undefined {
  if (name === null) return undefined
  const dot = name.indexOf('.')
  return dot < 0 ? { schema: '', name } : { schema: name.slice(0, dot), name: name.slice(dot + 1) }
}

function splitOnCommas(value: unknown): unknown {
  if (typeof value !== 'string') return value
  return value === '' ? [] : value.split(',').map((each) => each.trim())
}

function isAudience(audience: string | null): boolean {
  return audience === null || !audience.includes(':') || URL.canParse(audience)
}

function isProxyUri(uri: string | null): boolean {
  if (uri === null) return true
  if (!URL.canParse(uri)) return false
  const { protocol, username, search, hash } = new URL(uri)
  return /^https?:$/.test(protocol) && username + search + hash === ''
}
