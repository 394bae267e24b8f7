// Compares what a tenant's identities can reach with a contract. Each additional reach becomes a finding of the audit, with a
// request that proves it.
import {
  compareExposure,
  IDENTITY_LABELS,
  type Widening,
  wideningText,
} from '../../../../contract/compare-exposure.ts'
import type {
  ExposureComparison,
  ExposureContract,
} from '../../../../contract/exposure-contract.ts'
import type { RequestEnv } from '../../../../core/request-env.ts'
import type { Project } from '../../../../platform/projects/project.ts'
import { fullBucketName } from '../../../../services/storage/buckets/bucket-name.ts'
import { shortCell } from '../../../visibility/short-cell.ts'
import { type Draft, draft, type Evidence } from '../findings.ts'
import { proveAll } from '../prove.ts'
import { type Exposure, type ExposureDeps, exampleKey, readExposure } from './read-exposure.ts'

export interface ExposureTask {
  readonly project: Project
  readonly contract: ExposureContract
  readonly env: RequestEnv
}

/** @throws {SqlError} when the engine did not begin the work */
export async function checkExposure(
  deps: ExposureDeps,
  { contract, env, project }: ExposureTask,
): Promise<ExposureComparison> {
  const exposure = await readExposure(deps, project, env)
  const { changes, widened } = compareExposure(contract, exposure.contract)
  const identities = new Map([...exposure.asked.values()].map((one) => [one.shown.label, one]))
  const proving = { project, env, tables: exposure.tables, identities }
  const drafts = widened.map((widening) =>
    draftOf(exposure, { project, addresses: env.addresses }, widening),
  )
  return {
    tenant: project.slug,
    present: exposure.contract,
    widened: [...(await proveAll(deps, proving, drafts))],
    changes: [...changes],
  }
}

/** The tenant whose identities send requests, and the addresses of its services. */
interface Place {
  readonly project: Project
  readonly addresses: RequestEnv['addresses']
}

function draftOf(exposure: Exposure, place: Place, widening: Widening): Draft {
  const identity = IDENTITY_LABELS[widening.identity]
  const message = wideningText(widening)
  const { finding, evidence } = draft(
    { rule: 'contract-widened', severity: 'error', message, safer: SAFER },
    {
      object: objectOf(widening),
      table: 'table' in widening ? widening.table : null,
      comments: [],
      evidence: evidenceOf(exposure, place, widening),
    },
  )
  // The cause is the same text in all tenants, so that a change of the template is reported once.
  return { finding: { ...finding, identity, cause: message }, evidence }
}

const SAFER = 'Take the change back. If you intended it, accept it with a new contract.'

function objectOf(widening: Widening): string {
  switch (widening.kind) {
    case 'table':
    case 'columns':
      return `table ${widening.table}`
    case 'function':
      return `function ${widening.signature}`
    case 'bucket':
      return `bucket ${widening.bucket}`
  }
}

function evidenceOf(exposure: Exposure, place: Place, widening: Widening): Evidence {
  const { dataUrl } = place.addresses
  const identity = IDENTITY_LABELS[widening.identity]
  switch (widening.kind) {
    case 'table':
    case 'columns':
      return widening.command === 'select'
        ? { kind: 'read', relation: widening.table, identity }
        : notSent(`${writeCall(exposure, dataUrl, widening)} as ${identity}`)
    case 'function': {
      const called = exposure.functions.find(({ signature }) => signature === widening.signature)
      const relation = `rpc/${called?.name}`
      return called?.canBeRead === true
        ? { kind: 'read', relation, identity }
        : notSent(`POST ${dataUrl}/${relation} as ${identity}`)
    }
    case 'bucket':
      return bucketEvidence(place, widening)
  }
}

function notSent(call: string): Evidence {
  const reason = `No request was sent, because it would write rows. This one would: ${call}.`
  return { kind: 'none', reason }
}

const METHODS = { insert: 'POST', update: 'PATCH', delete: 'DELETE', select: 'GET' } as const

function writeCall(
  { examples }: Exposure,
  dataUrl: string,
  { command, identity, table }: Extract<Widening, { readonly kind: 'table' | 'columns' }>,
): string {
  const call = `${METHODS[command]} ${dataUrl}/${encodeURIComponent(table)}`
  const key = command === 'insert' ? undefined : examples.get(exampleKey(identity, table, command))
  if (key === undefined) return call
  const filters = Object.entries(key).map(([column, cell]) =>
    cell === null
      ? `${encodeURIComponent(column)}=is.null`
      : `${encodeURIComponent(column)}=eq.${encodeURIComponent(shortCell(cell) ?? '')}`,
  )
  return `${call}?${filters.join('&')}`
}

// Files have no owner, so any file of the bucket proves the finding (docs/wire/storage.md#access).
function bucketEvidence(
  { addresses, project: { schemaName } }: Place,
  { after, bucket, identity }: Extract<Widening, { readonly kind: 'bucket' }>,
): Evidence {
  const name = encodeURIComponent(fullBucketName(schemaName, bucket))
  const call =
    after === 'write'
      ? `POST ${addresses.storageUrl}/object/${name}/<path>`
      : identity === 'anon'
        ? `GET ${addresses.storageUrl}/object/public/${name}/<path>`
        : `GET ${addresses.storageUrl}/object/${name}/<path>`
  const reason = `No request was sent, because the rules of storage decide. This one shows it: ${call} as ${IDENTITY_LABELS[identity]}.`
  return { kind: 'none', reason }
}
