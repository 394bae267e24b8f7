// Records and checks which engine a data directory belongs to. Another engine would start without the directory's data.
import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { EmulatorError } from '../../core/errors.ts'
import { readOwnFile } from '../../core/own-file.ts'
import type { EngineKind } from '../../database/engine.ts'

/** A server that the user gave by its URL, as the data directory remembers it: without user and password. */
export interface KnownServer {
  /** `pg_control_system()`'s identifier. Absent when the account may not read it. */
  readonly systemIdentifier: string | undefined
  /** Host and port, for messages and for servers without an identifier. */
  readonly place: string
}

/** The engine that a data directory belongs to. `native` is the server that the emulator starts. */
export type KeptEngine =
  | { readonly engine: 'embedded' }
  | { readonly engine: 'postgres'; readonly server: 'native' | KnownServer }

/** The engine that the configuration names. A URL without an engine means a server. */
export interface WantedEngine {
  readonly engine?: EngineKind | undefined
  readonly databaseUrl?: string | undefined
}

/** The engine to open. */
export type EngineChoice =
  | { readonly engine: 'embedded' }
  | { readonly engine: 'postgres'; readonly databaseUrl: string | undefined }

/** The data directory belongs to another engine or server. */
export class EngineChoiceError extends EmulatorError {
  override readonly code = 'other_engine'
}

const FILE = 'engine.json'
const HINT =
  'It names the PostgreSQL server that has the data. Restore it from a copy, or choose another data directory with --data-dir.'
/** Folder of the embedded engine's cluster. */
const EMBEDDED_CLUSTER = 'postgres'

const Record = z.object({
  engine: z.literal('postgres'),
  server: z.union([
    z.literal('native'),
    z.object({ place: z.string(), systemIdentifier: z.string().optional() }),
  ]),
})

/**
 * Reads which engine the directory belongs to. Returns `undefined` for a new directory.
 * @throws {UnusableFile} when the record cannot be read, because another engine would start without the data
 */
export function keptEngine(dataDir: string): KeptEngine | undefined {
  const record = readOwnFile(join(dataDir, FILE), Record, HINT)
  if (record === undefined)
    return existsSync(join(dataDir, EMBEDDED_CLUSTER)) ? { engine: 'embedded' } : undefined
  const { engine, server } = record
  if (server === 'native') return { engine, server }
  return { engine, server: { place: server.place, systemIdentifier: server.systemIdentifier } }
}

/** Remembers the server of a data directory. The embedded engine needs no record. */
export function keepServerChoice(dataDir: string, server: 'native' | KnownServer): void {
  const path = join(dataDir, FILE)
  const draft = `${path}.draft`
  writeFileSync(draft, `${JSON.stringify({ engine: 'postgres', server })}\n`, { mode: 0o600 })
  renameSync(draft, path)
}

/**
 * Chooses the engine from the configuration and from the data directory's record.
 * @param dataDir for messages; `undefined` for an emulator in memory
 * @throws {EngineChoiceError} other_engine when they disagree
 */
export function chooseEngine(
  { engine, databaseUrl }: WantedEngine,
  kept: KeptEngine | undefined,
  dataDir = '',
): EngineChoice {
  const wanted = engine ?? (databaseUrl === undefined ? undefined : 'postgres')
  const chosen = wanted ?? kept?.engine ?? 'embedded'
  if (kept !== undefined && kept.engine !== chosen) throw otherEngine(kept.engine, dataDir)
  if (chosen === 'embedded') return { engine: 'embedded' }
  if (kept?.engine === 'postgres') requireSameWay(kept.server, databaseUrl, dataDir)
  return { engine: 'postgres', databaseUrl }
}

/** @throws {EngineChoiceError} other_engine when the given server is not the server that has the data */
export function requireSameServer(
  kept: KeptEngine | undefined,
  given: KnownServer,
  dataDir: string,
): void {
  if (kept?.engine !== 'postgres' || kept.server === 'native') return
  const { server } = kept
  const isSame =
    server.systemIdentifier === undefined || given.systemIdentifier === undefined
      ? server.place === given.place
      : server.systemIdentifier === given.systemIdentifier
  if (isSame) return
  throw new EngineChoiceError(
    `The data of ${dataDir} is in the server at ${server.place}, and the database URL names another server, ${given.place}.`,
    {
      hint: 'Name that server with --database-url, or choose another data directory with --data-dir.',
    },
  )
}

function requireSameWay(
  server: 'native' | KnownServer,
  databaseUrl: string | undefined,
  dataDir: string,
): void {
  if (server === 'native' && databaseUrl !== undefined)
    throw new EngineChoiceError(
      `The data of ${dataDir} is in the native server that Tenantry starts, not in the server of the database URL.`,
      {
        hint: 'Start without --database-url and TENANTRY_DATABASE_URL, or choose another data directory with --data-dir.',
      },
    )
  if (server !== 'native' && databaseUrl === undefined)
    throw new EngineChoiceError(`The data of ${dataDir} is in the server at ${server.place}.`, {
      hint: 'Name the server with --database-url or TENANTRY_DATABASE_URL, because its password is not kept.',
    })
}

function otherEngine(engine: EngineKind, dataDir: string): EngineChoiceError {
  return new EngineChoiceError(
    engine === 'embedded'
      ? `The data of ${dataDir} is in the embedded engine, not in a PostgreSQL server.`
      : `The data of ${dataDir} is in a PostgreSQL server, not in the embedded engine.`,
    {
      hint: `Start it with --engine ${engine}, or choose another data directory with --data-dir. "tenantry fixture export" and "fixture apply" carry data over.`,
    },
  )
}
