// A recorded request as the chain looks at it, and what the chain needs of the rest of the emulator.

import type { Advice } from '../../advice/advice.ts'
import type { UserManagement } from '../../auth/users/manage-users.ts'
import type { ExplainRequest } from '../../contract/explain.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import type { GroupStore } from '../../control/groups/groups.ts'
import type { TenantStore } from '../../control/tenants/tenants.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../core/json.ts'
import { parseSchemaName } from '../../core/names.ts'
import type { KeyAddresses } from '../../credentials/project-key.ts'
import type { FaultBook } from '../../faults/fault-book.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Recording } from '../../journal/recording/recorder.ts'
import type { Project } from '../../projects/project.ts'
import type { ProjectRegistry } from '../../projects/registry.ts'
import type { BucketStore } from '../../storage/buckets/bucket-store.ts'
import type { ObjectStore } from '../../storage/objects/object-store.ts'
import type { ExamineDeps } from '../tokens/examined.ts'
import type { Findings, LinkName } from './links.ts'
import type { RowQuestions } from './row-questions.ts'

export interface WhyDeps {
  readonly journal: Pick<Journal, 'read'>
  readonly recordings: {
    /** `undefined` when newer requests took its place, or the emulator was started again. */
    findRecording(requestId: string): Recording | undefined
  }
  readonly tokens: ExamineDeps
  readonly projects: ProjectRegistry
  readonly groups: Pick<GroupStore, 'findGroup' | 'groupsOfTemplate'>
  readonly tenants: Pick<TenantStore, 'findTenant' | 'findTenantOfProject' | 'countActive'>
  readonly buckets: Pick<BucketStore, 'findBucket' | 'listBuckets' | 'storedBytes'>
  readonly objects: Pick<ObjectStore, 'findObject'>
  readonly users: Pick<UserManagement, 'find'>
  readonly rows: RowQuestions
  readonly faults: Pick<FaultBook, 'find'>
}

export interface Occasion {
  readonly entry: JournalEntry
  readonly recording: Recording | undefined
  readonly path: string
  /** With its `?`, or empty. */
  readonly search: string
  /** Whose request it was, in any state. */
  readonly project: Project | undefined
  /** Of the credential presented, held or not. */
  readonly claims: JsonObject | undefined
  /** What the refusal means; `undefined` when there was none. */
  readonly advice: Advice | undefined
  readonly addresses: KeyAddresses
}

/** What one plane makes of a request, over what is known of its bearer. */
export interface PlaneFindings {
  readonly order: readonly LinkName[]
  readonly findings: Findings
  readonly suggestedFix?: string | null
  /** Says all there is to say: what the refusal’s code means in general would only repeat it. */
  readonly isExplained?: boolean
  readonly explain?: ExplainRequest
}

/** The JSON object of the recorded body; `undefined` when there was none or it was not kept. */
export function bodyOf({ recording }: Occasion): JsonObject | undefined {
  const value = jsonBodyOf(recording)
  return isJsonObject(value) ? value : undefined
}

/** The JSON of the recorded body, whole or not at all. */
export function jsonBodyOf(recording: Recording | undefined): JsonValue | undefined {
  const body = recording?.requestBody
  if (body === undefined || !body.isComplete || !body.isText) return undefined
  return parseJson(body.bytes().toString('utf8'))
}

/** The project that an entry names, else the one its claims do. */
export function projectOf(
  projects: ProjectRegistry,
  { schema_name: named }: JournalEntry,
  claims: JsonObject | undefined,
): Project | undefined {
  const schemaName = parseSchemaName(named ?? String(claims?.['project_schema']))
  return schemaName === undefined ? undefined : projects.findProjectBySchema(schemaName)
}
