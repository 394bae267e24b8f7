// A group's configuration, under the names PostgREST gives its options, as the data plane's settings.
import type { DataSettings, QualifiedName } from '../../emulator/data/settings.ts'

/** The options the host reads; the rest have no meaning here. */
export interface Configuration {
  readonly 'db-schemas': readonly string[]
  readonly 'db-extra-search-path': readonly string[]
  readonly 'db-max-rows': number | null
  readonly 'db-tx-end': string
  readonly 'db-aggregates-enabled': boolean
  readonly 'db-plan-enabled': boolean
  readonly 'openapi-mode': DataSettings['openApiMode']
  readonly 'openapi-security-active': boolean
  readonly 'db-root-spec': string | null
  readonly 'db-pre-request': string | null
  readonly 'db-anon-role': string | null
  readonly 'db-hoisted-tx-settings': readonly string[]
  readonly 'app.settings': readonly (readonly [string, string])[]
  readonly 'server-timing-enabled': boolean
  readonly 'jwt-secret': string | null
  readonly 'jwt-secret-is-base64': boolean
  readonly 'jwt-aud': string | null
}

export function settingsOf(configuration: Configuration): DataSettings {
  const schemas = configuration['db-schemas']
  const qualified = (text: string | null) => qualifiedName(text, schemas[0] ?? '')
  return {
    schemas,
    extraSearchPath: configuration['db-extra-search-path'],
    maxRows: configuration['db-max-rows'] ?? undefined,
    txEnd: configuration['db-tx-end'].startsWith('rollback') ? 'rollback' : 'commit',
    txAllowOverride: configuration['db-tx-end'].endsWith('allow-override'),
    aggregatesEnabled: configuration['db-aggregates-enabled'],
    planEnabled: configuration['db-plan-enabled'],
    openApiMode: configuration['openapi-mode'],
    hasOpenApiSecurity: configuration['openapi-security-active'],
    rootRoutine: qualified(configuration['db-root-spec']),
    preRequest: qualified(configuration['db-pre-request']),
    appSettings: Object.fromEntries(configuration['app.settings']),
    hoistedTxSettings: configuration['db-hoisted-tx-settings'],
    timeoutMillis: 10_000,
  }
}

function qualifiedName(text: string | null, schema: string): QualifiedName | undefined {
  if (text === null) return undefined
  const dot = text.indexOf('.')
  return dot < 0
    ? { schema, name: text }
    : { schema: text.slice(0, dot), name: text.slice(dot + 1) }
}
