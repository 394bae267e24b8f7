// Data types of access chains: a recorded request, and the links from its credential to a row, each with its state.

import type { AccessChain, ChainLink, ExplainRequest } from '../../../contract/explain.ts'
import type { JournalEntry } from '../../../contract/journal.ts'
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../../core/json.ts'
import { parseSchemaName } from '../../../core/names.ts'
import type { KeyAddresses } from '../../../platform/credentials/project-key.ts'
import type { Mailbox } from '../../../platform/messages/mailbox.ts'
import type { Project } from '../../../platform/projects/project.ts'
import type { ProjectRegistry } from '../../../platform/projects/registry.ts'
import type { UserManagement } from '../../../services/auth/users/manage-users.ts'
import type { GroupStore } from '../../../services/control/groups/groups.ts'
import type { TenantStore } from '../../../services/control/tenants/tenants.ts'
import type { BucketStore } from '../../../services/storage/buckets/bucket-store.ts'
import type { ObjectStore } from '../../../services/storage/objects/object-store.ts'
import type { FaultBook } from '../../faults/fault-book.ts'
import type { Journal } from '../../journal/journal.ts'
import type { Recording } from '../../journal/recording/kept-request.ts'
import type { ExamineDeps } from '../tokens/examined.ts'
import { type Advice, adviceFor } from './advice-for.ts'
import type { BeforeRequests } from './before-request.ts'
import type { RowQuestions } from './row-questions.ts'

export interface ChainDeps {
  readonly journal: Pick<Journal, 'read' | 'facets'>
  readonly recordings: {
    /** `undefined` when newer requests replaced the recording, or when the emulator was restarted. */
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
  readonly before: BeforeRequests
  readonly faults: Pick<FaultBook, 'find' | 'list'>
  readonly mailbox: Pick<Mailbox, 'list'>
}

/** How to explain a request. */
export interface ChainOptions {
  readonly addresses: KeyAddresses
  /** With `refusal`, no suggested fix is searched for, because the search takes most of the time. */
  readonly asOf: AccessChain['as_of']
}

export interface RecordedRequest {
  readonly entry: JournalEntry
  readonly recording: Recording | undefined
  readonly path: string
  /** Query string with its `?`, or empty. */
  readonly search: string
  /** Project of the request, whatever its state. */
  readonly project: Project | undefined
  /** Claims of the credential that the request sent, even if the credential is not valid. */
  readonly claims: JsonObject | undefined
  /** Cause of the refusal and what to do; `undefined` when the request was not refused. */
  readonly advice: Advice | undefined
  readonly options: ChainOptions
}

/** All findings about a request, including those about its credential. */
export interface PlaneFindings {
  readonly order: readonly LinkName[]
  readonly findings: Findings
  readonly suggestedFix?: string | null
  /** What to write when there is no fix that is narrow enough. */
  readonly advice?: string | null
  /** Set when the general advice for the error code would only repeat these findings. */
  readonly isExplained?: boolean
  readonly explain?: ExplainRequest
  /** The state with which rows were explained, when the request asked for the state before it. */
  readonly stateOf?: Pick<AccessChain, 'as_of' | 'basis' | 'changed_since'>
}

/**
 * Returns the recorded body as a JSON object, or `undefined` when the body is missing, was not recorded or is not an object.
 */
export function bodyOf({ recording }: RecordedRequest): JsonObject | undefined {
  const value = jsonBodyOf(recording)
  return isJsonObject(value) ? value : undefined
}

/** Returns the recorded body as JSON, or `undefined` when the recording is incomplete. */
export function jsonBodyOf(recording: Recording | undefined): JsonValue | undefined {
  const body = recording?.requestBody
  if (body === undefined || !body.isComplete || !body.isText) return undefined
  return parseJson(body.bytes().toString('utf8'))
}

/** Returns what a refusal means; `undefined` for a request without an error code, and for undocumented codes. */
export function adviceOf({
  error_code: code,
  error_message: message,
  service,
  target,
  status,
}: JournalEntry): Advice | undefined {
  if (code === null) return undefined
  return adviceFor({ service, path: pathOf(target), status, code, message: message ?? '' })
}

/** Returns a request target without its query. */
export function pathOf(target: string): string {
  const question = target.indexOf('?')
  return question < 0 ? target : target.slice(0, question)
}

/** Returns the project that the journal entry names, or else the project that the claims name. */
export function projectOf(
  projects: ProjectRegistry,
  { schema_name: named }: JournalEntry,
  claims: JsonObject | undefined,
): Project | undefined {
  const schemaName = parseSchemaName(named ?? String(claims?.['project_schema']))
  return schemaName === undefined ? undefined : projects.findProjectBySchema(schemaName)
}

export type LinkName = ChainLink['link']
export type Finding = Omit<ChainLink, 'link'>
export type Findings = Readonly<Partial<Record<LinkName, Finding>>>
type Facts = Readonly<Record<string, string>>

export function holds(title: string, sentence: string, facts: Facts = {}): Finding {
  return { state: 'holds', title, sentence, facts }
}

export function broken(title: string, sentence: string, facts: Facts = {}): Finding {
  return { state: 'broken', title, sentence, facts }
}

export function notNeeded(title: string, sentence: string, facts: Facts = {}): Finding {
  return { state: 'not_needed', title, sentence, facts }
}

/**
 * Sorts the links by `order`. Links after the first broken link are marked as not reached. A broken link outside `order` comes
 * last.
 */
export function lineUp(order: readonly LinkName[], findings: Findings): readonly ChainLink[] {
  const names = Object.keys(findings) as LinkName[]
  const outside = names.filter((name) => !order.includes(name))
  const links: ChainLink[] = []
  let isBroken = false
  for (const link of [...order, ...outside.filter((name) => findings[name]?.state === 'broken')]) {
    const finding = findings[link] ?? NOT_ASKED
    links.push({ link, ...(isBroken ? NOT_REACHED : finding) })
    isBroken ||= finding.state === 'broken'
  }
  return links
}

/** Returns the first broken link, which explains the refusal. */
export function firstBroken(links: readonly ChainLink[]): ChainLink | undefined {
  return links.find(({ state }) => state === 'broken')
}

const NOT_ASKED = notNeeded('not needed', 'The service did not need this check for the request.')
const NOT_REACHED: Finding = {
  state: 'unknown',
  title: 'not reached',
  sentence: 'The request ended before this link.',
  facts: {},
}
