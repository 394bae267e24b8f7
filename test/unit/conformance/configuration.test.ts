import { describe, expect, it } from 'vitest'
import {
  ConfigurationError,
  parseConfiguration,
  settingsOf,
} from '../../conformance/configuration.ts'

function settings(given: Readonly<Record<string, unknown>>) {
  return settingsOf(parseConfiguration(given))
}

describe('parseConfiguration', () => {
  it('uses PostgREST’s defaults for missing options', () => {
    expect(settings({})).toEqual({
      schemas: ['public'],
      extraSearchPath: ['public'],
      maxRows: undefined,
      txEnd: 'commit',
      txAllowOverride: false,
      aggregatesEnabled: false,
      planEnabled: false,
      openApiMode: 'follow-privileges',
      hasOpenApiSecurity: false,
      publicUrl: 'http://0.0.0.0:3000/',
      rootRoutine: undefined,
      preRequest: undefined,
      appSettings: {},
      hoistedTxSettings: [
        'statement_timeout',
        'plan_filter.statement_cost_limit',
        'default_transaction_isolation',
      ],
      roleSettings: new Map(),
      timeoutMillis: 10_000,
    })
  })

  it('refuses an unknown option', () => {
    expect(() => parseConfiguration({ 'db-magic': true })).toThrow(ConfigurationError)
    expect(() => parseConfiguration({ 'db-magic': true })).toThrow(/db-magic/)
  })

  it.each([
    [{ 'db-tx-end': 'perhaps' }],
    [{ 'openapi-mode': 'loud' }],
    [{ 'db-pre-config': 'setup' }],
    [{ 'db-config': true }],
    [{ 'jwt-secret': '@secret.jwk' }],
    [{ 'jwt-aud': 'not a uri:' }],
    [{ 'openapi-server-proxy-uri': 'ftp://example.test' }],
    [{ 'openapi-server-proxy-uri': 'https://example.test/?query' }],
    [{ 'db-max-rows': -1 }],
  ])('refuses %j', (given) => {
    expect(() => parseConfiguration(given)).toThrow(ConfigurationError)
  })

  it('accepts options without an effect on responses, and older names of options', () => {
    expect(settings({ 'log-level': 'crit', 'db-pool': 3, 'max-rows': 5 })).toMatchObject({
      maxRows: 5,
    })
  })

  it('accepts the option names of PostgREST’s source code', () => {
    expect(
      settings({ configServerHost: 'db.test', configServerPort: 80, configDbPoolSize: 1 })
        .publicUrl,
    ).toBe('http://db.test:80/')
    expect(() => parseConfiguration({ configFilePath: 'x' })).toThrow(/file-path/)
  })

  it('reads comma-separated lists, and an empty text as an empty list', () => {
    expect(
      settings({ 'db-schemas': 'one, two', 'db-extra-search-path': '', 'db-pre-request': '' }),
    ).toMatchObject({ schemas: ['one', 'two'], extraSearchPath: [], preRequest: undefined })
  })

  it.each([
    ['commit', 'commit', false],
    ['commit-allow-override', 'commit', true],
    ['rollback', 'rollback', false],
    ['rollback-allow-override', 'rollback', true],
  ] as const)('ends transactions as configured by db-tx-end=%s', (end, txEnd, txAllowOverride) => {
    expect(settings({ 'db-tx-end': end })).toMatchObject({ txEnd, txAllowOverride })
  })

  it('resolves a function without a schema by the search path', () => {
    expect(settings({ 'db-pre-request': 'check', 'db-root-spec': 'api.root' })).toMatchObject({
      preRequest: { schema: '', name: 'check' },
      rootRoutine: { schema: 'api', name: 'root' },
    })
  })

  it('merges the settings and the isolation level of a role', () => {
    const { roleSettings } = settings({
      'role-settings': [['anon', [['statement_timeout', '1s']]]],
      'role-isolation-levels': [['anon', 'Serializable']],
    })
    expect(roleSettings?.get('anon')).toEqual({
      isolation: 'serializable',
      settings: { statement_timeout: '1s' },
    })
  })

  it('reads the application’s settings from single options and from a list', () => {
    expect(
      settings({ 'app.settings.key': 'a', 'app.settings': [['app.settings.b', 'c']] }),
    ).toMatchObject({ appSettings: { 'app.settings.key': 'a', 'app.settings.b': 'c' } })
  })
})
