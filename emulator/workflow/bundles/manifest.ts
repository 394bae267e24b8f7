// The manifest of a bundle: its first file, which says what made the bundle and lists all other files with their hashes.
import { z } from 'zod'
import type { OpenedBundle } from '../../contract/bundles.ts'
import { FaultOrder } from '../../contract/faults.ts'
import { parseJson } from '../../core/json.ts'
import { type EpochMillis, epochMillis, parseInstant } from '../../core/time.ts'
import type { EngineKind } from '../../database/engine.ts'
import { BundleError, damaged } from './bundle-error.ts'

export const MANIFEST = 'manifest.json'
export const REQUESTS = 'requests.json'
/** Folder of the state inside a bundle: records, projects and files of buckets. */
export const STATE = 'state'

const FORMAT = 'tenantry-bundle'
/**
 * Raise this number when earlier releases cannot open the new bundles. Format 1 contained the files of databases, which could
 * carry programs. Format 3 adds recorded row changes. A bundle without them has format 2, which earlier releases open.
 */
const VERSION = 3
const VERSION_WITHOUT_HISTORY = 2

export interface BundledFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

interface BundledState {
  readonly tenants: number
  /** The dashboard account that exists from the start. The inspector shows the groups of this account. */
  readonly developer_email: string
  readonly objects_left_out: number
}

export interface Manifest {
  readonly format: typeof FORMAT
  readonly version: typeof VERSION | typeof VERSION_WITHOUT_HISTORY
  /** ISO 8601, wall-clock time. */
  readonly made_at: string
  readonly note: string | null
  /** The request at which the bundle opens. */
  readonly request_id: string | null
  readonly requests: number
  readonly versions: {
    readonly tenantry: string
    readonly node: string
    readonly platform: string
    readonly engine: EngineKind
    readonly postgres: string
  }
  /**
   * Platform time when the bundle was made. A clock that was not frozen continues from there when the bundle is opened.
   */
  readonly time: { readonly at: string; readonly is_frozen: boolean }
  /** The seed of repeatable identifiers, and the number of identifiers generated so far. */
  readonly ids: { readonly seed: string; readonly position: number } | null
  /** Limits and modes of the emulator that affect answers (config.ts). */
  readonly settings: {
    readonly clone: 'full' | 'structure'
    readonly statement_timeout_ms: number
    readonly max_body_bytes: number
    readonly max_result_bytes: number
  }
  readonly faults: readonly FaultOrder[]
  /** Number of entries of recorded row changes; `null` when none were recorded. */
  readonly row_changes: number | null
  readonly state: BundledState | null
  readonly files: readonly BundledFile[]
}

/** The members that the caller of `manifestText` provides. */
export type ManifestFacts = Omit<Manifest, 'format' | 'version'>

const MAX_FILES = 100_000
const Count = z.int().min(0)
// Versions and paths are printed in the terminal, so only printable ASCII is allowed.
const Version = z.string().regex(/^[ -~]{0,100}$/)
const Path = z.string().regex(/^[ -~]{1,300}$/)

const Manifest: z.ZodType<Manifest> = z.object({
  format: z.literal(FORMAT),
  version: z.literal([VERSION_WITHOUT_HISTORY, VERSION]),
  made_at: z.iso.datetime(),
  note: z.string().max(1_000).nullable(),
  request_id: z.string().max(100).nullable(),
  requests: Count,
  versions: z.object({
    tenantry: Version,
    node: Version,
    platform: Version,
    engine: z.enum(['embedded', 'postgres']),
    postgres: Version,
  }),
  time: z.object({ at: z.iso.datetime(), is_frozen: z.boolean() }),
  ids: z.object({ seed: z.string().min(1), position: Count }).nullable(),
  settings: z.object({
    clone: z.enum(['full', 'structure']),
    statement_timeout_ms: Count,
    max_body_bytes: Count,
    max_result_bytes: Count,
  }),
  faults: z.array(FaultOrder).max(1_000),
  row_changes: Count.nullable().default(null),
  state: z
    .object({ tenants: Count, developer_email: z.email(), objects_left_out: Count })
    .nullable(),
  files: z
    .array(z.object({ path: Path, size: Count, sha256: z.string().regex(/^[\da-f]{64}$/) }))
    .max(MAX_FILES),
})

/** The members that every version of the format has. */
const AnyManifest = z.object({
  format: z.literal(FORMAT),
  version: z.int().min(1),
  versions: z.object({ tenantry: Version }),
})

export function manifestText(facts: ManifestFacts): string {
  const version = facts.row_changes === null ? VERSION_WITHOUT_HISTORY : VERSION
  return JSON.stringify({ format: FORMAT, version, ...facts } satisfies Manifest)
}

/** @throws {BundleError} `newer_bundle`, `older_bundle`, `damaged_bundle` */
export function parseManifest(file: string, text: string): Manifest {
  const value = parseJson(text)
  const known = AnyManifest.safeParse(value)
  if (!known.success)
    throw damaged(file, `is not a bundle, or its ${MANIFEST} is damaged`, known.error)
  if (known.data.version > VERSION)
    throw new BundleError('newer_bundle', `${file} was made by a newer release of Tenantry.`, {
      hint: `It has format ${known.data.version}, and this release opens format ${VERSION}. Update Tenantry.`,
    })
  if (known.data.version < VERSION_WITHOUT_HISTORY)
    throw new BundleError(
      'older_bundle',
      `${file} was made by Tenantry ${known.data.versions.tenantry}, whose bundles contain a whole database. This release does not run a database that comes in a file.`,
      { hint: 'Let the sender update Tenantry and make a new bundle.' },
    )
  const manifest = Manifest.safeParse(value)
  if (!manifest.success) throw damaged(file, `has a damaged ${MANIFEST}`, manifest.error)
  return manifest.data
}

/** Returns the platform time at which the opened emulator starts. */
export function platformTimeOf({ time }: Manifest): {
  readonly at: EpochMillis
  readonly isFrozen: boolean
} {
  return { at: parseInstant(time.at) ?? epochMillis(0), isFrozen: time.is_frozen }
}

/** @param file name without its folder */
export function openedBundleOf(file: string, manifest: Manifest): OpenedBundle {
  const { made_at, note, request_id, requests, row_changes, state, versions } = manifest
  return {
    file,
    note,
    made_at,
    made_by: versions.tenantry,
    has_state: state !== null,
    requests,
    request_id,
    objects_left_out: state?.objects_left_out ?? 0,
    row_changes: state === null ? null : row_changes,
  }
}
