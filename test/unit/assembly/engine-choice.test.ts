import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  chooseEngine,
  type KeptEngine,
  keepServerChoice,
  keptEngine,
  requireSameServer,
} from '../../../emulator/assembly/engine/engine-choice.ts'

const URL = 'postgres://app:secret-word@db.example/app'
const EMBEDDED: KeptEngine = { engine: 'embedded' }
const NATIVE: KeptEngine = { engine: 'postgres', server: 'native' }
const GIVEN: KeptEngine = {
  engine: 'postgres',
  server: { systemIdentifier: '7', place: 'db.example:5432' },
}

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'tenantry-choice-'))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

describe('the record of a data directory', () => {
  it('is missing in a new directory, and names the embedded engine when the directory has a cluster', () => {
    expect(keptEngine(dataDir)).toBeUndefined()
    mkdirSync(join(dataDir, 'postgres'))
    expect(keptEngine(dataDir)).toEqual(EMBEDDED)
  })

  it.each([NATIVE, GIVEN])('stores the server %j and reads it back', (kept) => {
    if (kept.engine === 'postgres') keepServerChoice(dataDir, kept.server)
    expect(keptEngine(dataDir)).toEqual(kept)
  })

  it('contains no credentials of the server', () => {
    keepServerChoice(dataDir, { systemIdentifier: undefined, place: 'db.example:5432' })
    expect(readFileSync(join(dataDir, 'engine.json'), 'utf8')).toBe(
      '{"engine":"postgres","server":{"place":"db.example:5432"}}\n',
    )
  })
})

describe('the choice of the engine', () => {
  it.each([
    ['nothing', {}, undefined, { engine: 'embedded' }],
    ['an engine', { engine: 'postgres' }, undefined, { engine: 'postgres' }],
    ['a URL', { databaseUrl: URL }, undefined, { engine: 'postgres', databaseUrl: URL }],
    ['nothing, beside a native server', {}, NATIVE, { engine: 'postgres' }],
    [
      'a URL, beside a given server',
      { databaseUrl: URL },
      GIVEN,
      { engine: 'postgres', databaseUrl: URL },
    ],
  ] as const)('selects the engine for these options: %s', (_, wanted, kept, choice) => {
    expect(chooseEngine(wanted, kept)).toEqual(choice)
  })

  it.each([
    ['the embedded engine on a server’s data', { engine: 'embedded' }, NATIVE, '--engine postgres'],
    [
      'a server on the embedded engine’s data',
      { engine: 'postgres' },
      EMBEDDED,
      '--engine embedded',
    ],
    [
      'a given server on a native server’s data',
      { databaseUrl: URL },
      NATIVE,
      'without --database-url',
    ],
    ['a given server without its URL', {}, GIVEN, 'TENANTRY_DATABASE_URL'],
  ] as const)('refuses %s', (_, wanted, kept, way) => {
    expect(() => chooseEngine(wanted, kept, '.tenantry')).toThrowError(
      expect.objectContaining({
        code: 'other_engine',
        message: expect.stringContaining('The data of .tenantry is in'),
        hint: expect.stringContaining(way),
      }),
    )
  })

  it('refuses the URL of another server, and names the server that has the data', () => {
    const other = { systemIdentifier: '8', place: 'other.example:5432' }
    expect(() => requireSameServer(GIVEN, other, '.tenantry')).toThrow(
      'The data of .tenantry is in the server at db.example:5432, and the database URL names another server, other.example:5432.',
    )
  })

  it('accepts the same server at another address', () => {
    const moved = { systemIdentifier: '7', place: '10.0.0.7:5432' }
    expect(() => requireSameServer(GIVEN, moved, '.tenantry')).not.toThrow()
  })
})
