// Explains a recorded request as an access chain: a list of checks (links). The first broken link explains why the request was
// refused or returned no rows.
import { type AccessChain, type ChainLink, fixMembers } from '../../../contract/explain.ts'
import type { ArmedFault, FaultEffect } from '../../../contract/faults.ts'
import type { JournalEntry } from '../../../contract/journal.ts'
import { defined } from '../../../core/defined.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import { authFindings } from './auth-findings.ts'
import { bearerFindings } from './bearer-findings.ts'
import { controlFindings } from './control-findings.ts'
import { dataFindings } from './data-findings.ts'
import {
  adviceOf,
  broken,
  type ChainDeps,
  type ChainOptions,
  type Finding,
  type Findings,
  firstBroken,
  holds,
  type LinkName,
  lineUp,
  type PlaneFindings,
  pathOf,
  projectOf,
  type RecordedRequest,
} from './recorded-request.ts'
import { storageFindings } from './storage-findings.ts'

/** Finds the request in the journal. @throws {InspectorError} `not_found` */
export function findEntry(deps: Pick<ChainDeps, 'journal'>, requestId: string): JournalEntry {
  const [entry] = deps.journal.read({ limit: 1, requestId })
  if (entry === undefined)
    throw new InspectorError('not_found', `The journal has no request ${requestId}.`, {
      hint: 'The journal keeps the newest requests. GET /_emulator/v1/journal lists them.',
    })
  return entry
}

/** Explains a request with the platform's present state, such as keys and users, and rows as `options.asOf` asks. */
export async function accessChain(
  deps: ChainDeps,
  entry: JournalEntry,
  options: ChainOptions,
): Promise<AccessChain> {
  const request = recordedRequest(deps, entry, options)
  const ordered = faultFinding(deps, entry)
  if (ordered?.state === 'broken') return brokenByFault(request, ordered)
  const bearer = await bearerFindings(deps, request)
  const plane = firstBrokenOf(bearer)
    ? { order: orderOf(request), findings: bearer }
    : await planeFindings(deps, request, bearer)
  const links = [...metBefore(ordered), ...lineUp(plane.order, withRefusal(request, plane))]
  const why = firstBroken(links)
  return {
    request_id: entry.request_id,
    status: entry.status,
    ...(plane.stateOf ?? stateOf(options)),
    links,
    sentence:
      why === undefined
        ? soundSentence(entry)
        : [why.sentence, plane.isExplained === true ? plane.advice : request.advice?.remedy]
            .filter(Boolean)
            .join(' '),
    incomplete: incompleteSentence(request),
    ...fixMembers(plane.suggestedFix ?? null),
    explain: plane.explain ?? null,
  }
}

// A chain that is about no rows is explained with the present state.
function stateOf({ asOf }: ChainOptions): Pick<AccessChain, 'as_of' | 'basis' | 'changed_since'> {
  return { as_of: asOf === 'request' ? 'now' : asOf, basis: null, changed_since: [] }
}

// Without its recording, a request has no body, headers and claims. In this case, neither the written row nor the credential is
// known.
function incompleteSentence({ entry, recording }: RecordedRequest): string | null {
  if (entry.status < 400 || entry.service === 'postgres') return null
  if (recording === undefined)
    return 'The body and the headers of this request are no longer kept. Until it stops, the emulator keeps the newest 1,000 requests and the newest 200 refused ones. The reason was not kept either, because too many requests were refused at once or the emulator stopped too early. Send the request again to see its values.'
  if (recording.requestBody === undefined && entry.method !== 'GET' && entry.method !== 'HEAD')
    return 'The body of this request was not kept, because recording bodies of refused requests was turned off. Turn it on and send the request again to see its values.'
  return null
}

// A fault takes effect before any service handles the request, so it is the first link.
function metBefore(fault: Finding | undefined): readonly ChainLink[] {
  return fault === undefined ? [] : [{ link: 'fault', ...fault }]
}

function brokenByFault(request: RecordedRequest, fault: Finding): AccessChain {
  const { request_id: requestId, status } = request.entry
  return {
    request_id: requestId,
    status,
    ...stateOf(request.options),
    links: lineUp(['fault', ...orderOf(request)], { fault }),
    sentence: fault.sentence,
    incomplete: null,
    ...fixMembers(null),
    explain: null,
  }
}

function recordedRequest(
  deps: ChainDeps,
  entry: JournalEntry,
  options: ChainOptions,
): RecordedRequest {
  const recording = deps.recordings.findRecording(entry.request_id)
  const path = pathOf(entry.target)
  return {
    entry,
    recording,
    path,
    search: entry.target.slice(path.length),
    project: projectOf(deps.projects, entry, recording?.claims),
    claims: recording?.claims,
    advice: adviceOf(entry),
    options,
  }
}

const ORDERS: Readonly<Record<string, readonly LinkName[]>> = {
  data: ['credential', 'project', 'role', 'claims', 'request', 'grant', 'policy', 'row'],
  storage: ['credential', 'project', 'role', 'claims', 'bucket', 'object', 'request'],
  control: ['credential', 'group', 'request', 'resource', 'quota'],
  auth: ['project', 'credential', 'request', 'claims', 'row'],
  realtime: ['credential', 'project', 'role', 'claims', 'request', 'subscription'],
}
const OTHER_ORDER: readonly LinkName[] = ['request']
const EXCHANGE_ORDER: readonly LinkName[] = ['credential', 'project', 'role', 'claims', 'quota']

function orderOf({ entry, path }: RecordedRequest): readonly LinkName[] {
  if (isExchange(path)) return EXCHANGE_ORDER
  return ORDERS[entry.service] ?? OTHER_ORDER
}

function isExchange(path: string): boolean {
  return /^\/(st|rt)\/v1\/token$/.test(path)
}

function firstBrokenOf(findings: Findings): boolean {
  return Object.values(findings).some(({ state }) => state === 'broken')
}

async function planeFindings(
  deps: ChainDeps,
  request: RecordedRequest,
  bearer: Findings,
): Promise<PlaneFindings> {
  const order = orderOf(request)
  switch (request.entry.service) {
    case 'data':
      return { order, ...(await dataFindings(deps, request, bearer)) }
    case 'storage':
      return { order, findings: { ...bearer, ...storageFindings(deps, request) } }
    case 'control':
      return { order, findings: { ...bearer, ...controlFindings(deps, request) } }
    case 'auth':
      return { order, findings: { ...bearer, ...(await authFindings(deps, request)) } }
    default:
      return { order, findings: bearer }
  }
}

// If no check found a broken link, the error code of the response determines which link is broken.
function withRefusal({ advice, entry }: RecordedRequest, { findings }: PlaneFindings): Findings {
  if (firstBrokenOf(findings)) return findings
  const { error_code: code, error_message: message, status } = entry
  if (advice !== undefined)
    return {
      ...findings,
      [advice.link]: broken(code ?? '', sentences(advice.cause, message), {
        ...(code === null ? {} : { code }),
        ...(message === null ? {} : { message }),
      }),
    }
  if (status < 400) return findings
  return {
    ...findings,
    request: broken(`${status}`, message ?? `The answer has the status ${status}.`),
  }
}

/** Returns the cause, followed by the message of the answer. */
export function sentences(cause: string, message: string | null): string {
  if (message === null || message === '') return cause
  return `${cause} The answer says: “${message}${/[.!?]$/.test(message) ? '' : '.'}”`
}

function soundSentence({ status, row_count: rows }: JournalEntry): string {
  const count = rows === null ? '' : ` and ${rows} ${rows === 1 ? 'row' : 'rows'}`
  return `All checks passed. The answer has the status ${status}${count}.`
}

// Checks whether an injected fault caused the result of a request.

/** Returns `undefined` if no fault applied to the request. */
function faultFinding(
  { faults }: Pick<ChainDeps, 'faults'>,
  entry: JournalEntry,
): Finding | undefined {
  if (entry.fault === null) return undefined
  const fault = faults.find(entry.fault)
  const facts = { fault: entry.fault, ...(fault && factsOf(fault)) }
  const sentence = `${faultSentence(fault)} The fault’s id is ${entry.fault}.`
  return decides(fault, entry)
    ? broken(
        'injected fault',
        faults.list().some(({ id }) => id === entry.fault)
          ? `${sentence} Disarm the fault to see the result without the fault.`
          : `${sentence} The fault is no longer armed. Send the request again to see the result without it.`,
        facts,
      )
    : holds('injected fault', sentence, facts)
}

const SENTENCES: Readonly<Record<FaultEffect['kind'] | 'unknown', string>> = {
  error: 'An armed fault answered instead of the service.',
  latency: 'An armed fault delayed the request before any work was done.',
  answer_lost: 'The work was done and committed, but an armed fault withheld the answer.',
  connection_dropped: 'An armed fault closed the connection before any work was done.',
  disk_full: 'An armed fault made the disk appear full for this request.',
  realtime_disconnect: 'An armed fault closed the socket right after it was opened.',
  realtime_delay: 'An armed fault delays the delivered events.',
  realtime_duplicate: 'An armed fault repeats the delivered events.',
  unknown: 'The fault no longer exists.',
}

/** Says what a fault did. @param fault `undefined` when it is no longer known */
export function faultSentence(fault: ArmedFault | undefined): string {
  return SENTENCES[fault?.effect.kind ?? 'unknown']
}

/** Whether the fault's effect caused the result. A request that was refused for another reason never met the effect. */
export function decides(
  fault: ArmedFault | undefined,
  entry: Pick<JournalEntry, 'error_code' | 'service' | 'status'>,
): boolean {
  const { effect } = fault ?? {}
  switch (effect?.kind) {
    case 'latency':
    case 'realtime_delay':
    case 'realtime_duplicate':
      return false
    case 'disk_full':
      return entry.status >= 500
    case 'error':
      return entry.service !== 'control' || entry.error_code === effect.code
    case undefined:
      return entry.status >= 400
    case 'answer_lost':
    case 'connection_dropped':
    case 'realtime_disconnect':
      return true
  }
}

function factsOf({ effect, scope }: ArmedFault): Readonly<Record<string, string>> {
  const code = 'code' in effect ? effect.code : undefined
  return defined({ effect: effect.kind, code, operation: scope.operation })
}
