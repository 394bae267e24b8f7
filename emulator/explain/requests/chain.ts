// Any recorded request as one line of links; the first broken one is why it was refused or came back empty.

import { adviceFor } from '../../advice/advice-for.ts'
import { InspectorError } from '../../api-kit/errors.ts'
import type { AccessChain, ChainLink } from '../../contract/explain.ts'
import type { JournalEntry } from '../../contract/journal.ts'
import type { KeyAddresses } from '../../credentials/project-key.ts'
import { authFindings } from './auth-findings.ts'
import { bearerFindings } from './bearer-findings.ts'
import { controlFindings } from './control-findings.ts'
import { dataFindings } from './data-findings.ts'
import { faultFinding } from './fault-findings.ts'
import { broken, type Finding, type Findings, firstBroken, type LinkName, lineUp } from './links.ts'
import { type Occasion, type PlaneFindings, projectOf, type WhyDeps } from './request-case.ts'
import { storageFindings } from './storage-findings.ts'

/** @throws {InspectorError} `not_found` */
export async function accessChain(
  deps: WhyDeps,
  requestId: string,
  addresses: KeyAddresses,
): Promise<AccessChain> {
  const [entry] = deps.journal.read({ limit: 1, requestId })
  if (entry === undefined)
    throw new InspectorError('not_found', `The journal has no request ${requestId}.`, {
      hint: 'The newest ones are kept; GET /_emulator/v1/journal lists them.',
    })
  const occasion = occasionOf(deps, entry, addresses)
  const ordered = faultFinding(deps, entry)
  if (ordered?.state === 'broken') return brokenByFault(occasion, ordered)
  const bearer = await bearerFindings(deps, occasion)
  const plane = firstBrokenOf(bearer)
    ? { order: orderOf(occasion), findings: bearer }
    : await planeFindings(deps, occasion, bearer)
  const links = [...metBefore(ordered), ...lineUp(plane.order, withRefusal(occasion, plane))]
  const why = firstBroken(links)
  return {
    request_id: requestId,
    status: entry.status,
    links,
    sentence:
      why === undefined
        ? soundSentence(entry)
        : [why.sentence, plane.isExplained === true ? '' : occasion.advice?.todo]
            .filter(Boolean)
            .join(' '),
    suggested_fix: plane.suggestedFix ?? null,
    explain: plane.explain ?? null,
  }
}

// It meets a request before any service does.
function metBefore(fault: Finding | undefined): readonly ChainLink[] {
  return fault === undefined ? [] : [{ link: 'fault', ...fault }]
}

function brokenByFault(occasion: Occasion, fault: Finding): AccessChain {
  const { request_id: requestId, status } = occasion.entry
  return {
    request_id: requestId,
    status,
    links: lineUp(['fault', ...orderOf(occasion)], { fault }),
    sentence: fault.sentence,
    suggested_fix: null,
    explain: null,
  }
}

function occasionOf(deps: WhyDeps, entry: JournalEntry, addresses: KeyAddresses): Occasion {
  const recording = deps.recordings.findRecording(entry.request_id)
  const question = entry.target.indexOf('?')
  const path = question < 0 ? entry.target : entry.target.slice(0, question)
  const { error_code: code, error_message: message } = entry
  return {
    entry,
    recording,
    path,
    search: question < 0 ? '' : entry.target.slice(question),
    project: projectOf(deps.projects, entry, recording?.claims),
    claims: recording?.claims,
    advice:
      code === null
        ? undefined
        : adviceFor({
            service: entry.service,
            path,
            status: entry.status,
            code,
            message: message ?? '',
          }),
    addresses,
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

function orderOf({ entry, path }: Occasion): readonly LinkName[] {
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
  deps: WhyDeps,
  occasion: Occasion,
  bearer: Findings,
): Promise<PlaneFindings> {
  const order = orderOf(occasion)
  switch (occasion.entry.service) {
    case 'data':
      return { order, ...(await dataFindings(deps, occasion, bearer)) }
    case 'storage':
      return { order, findings: { ...bearer, ...storageFindings(deps, occasion) } }
    case 'control':
      return { order, findings: { ...bearer, ...controlFindings(deps, occasion) } }
    case 'auth':
      return { order, findings: { ...bearer, ...(await authFindings(deps, occasion)) } }
    default:
      return { order, findings: bearer }
  }
}

// A refusal that no plane could say more of breaks the link its code stands for.
function withRefusal({ advice, entry }: Occasion, { findings }: PlaneFindings): Findings {
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
  return { ...findings, request: broken(`${status}`, message ?? `It was answered with ${status}.`) }
}

function sentences(cause: string, message: string | null): string {
  return message === null || message === '' ? cause : `${cause} It said: “${message}”`
}

function soundSentence({ status, row_count: rows }: JournalEntry): string {
  const count = rows === null ? '' : ` and ${rows} ${rows === 1 ? 'row' : 'rows'}`
  return `Every link holds: it was answered with ${status}${count}.`
}
