// Storage answers "not found" for files that a token may not see. This module checks whether bucket and file exist, so that
// the chain can name the credential instead of the path as the cause (docs/wire/storage.md#errors).

import { percentDecoded } from '../../../core/percent-decoded.ts'
import { FREE_PLAN_STORAGE, FREE_PLAN_STORAGE_BYTES } from '../../../platform/projects/quotas.ts'
import { mayRead, mayWrite } from '../../../services/storage/access/permissions.ts'
import type { Bucket } from '../../../services/storage/buckets/bucket-store.ts'
import {
  bodyOf,
  broken,
  type ChainDeps,
  type Finding,
  type Findings,
  holds,
  type RecordedRequest,
} from './recorded-request.ts'

export function storageFindings(deps: ChainDeps, request: RecordedRequest): Findings {
  if (request.entry.error_code === 'storage_quota_exceeded') return quotaFinding(deps, request)
  const { bucket: name, objectKey, isPublicRoute } = placeOf(request)
  if (name === undefined) return {}
  const bucket = deps.buckets.findBucket(name)
  const access = bucket && accessFinding(deps, request, bucket, { objectKey, isPublicRoute })
  return {
    ...(access && { role: access }),
    ...((isAboutPlace(request) || request.advice === undefined) && {
      bucket: bucketFinding(deps, request, name, bucket),
      ...(bucket && objectKey !== undefined && objectFinding(deps, bucket, objectKey)),
    }),
  }
}

function isAboutPlace({ entry }: RecordedRequest): boolean {
  return ['NoSuchKey', 'NoSuchBucket'].includes(entry.error_code ?? '')
}

interface Place {
  readonly bucket: string | undefined
  readonly objectKey: string | undefined
  /** Returns true for paths below /object/public, where every request is anonymous. */
  readonly isPublicRoute: boolean
}

const OBJECT_ROUTE =
  /^(?:\/storage\/v1)?\/(?:object|render\/image)\/(?:(info\/public|public)\/|info\/authenticated\/|info\/|authenticated\/|sign\/|upload\/sign\/|list-v2\/|list\/)?([^/]+)(?:\/(.+))?$/
const OTHER_ROUTE = /^(?:\/storage\/v1)?\/(?:bucket|s3)\/([^/]+)(?:\/(.+))?$/

function placeOf(request: RecordedRequest): Place {
  const [, isPublic, bucket, rest] = OBJECT_ROUTE.exec(request.path) ?? []
  if (bucket !== undefined && !['move', 'copy'].includes(bucket))
    return {
      bucket: percentDecoded(bucket),
      objectKey:
        rest === undefined || /\/list/.test(request.path) ? undefined : percentDecoded(rest),
      isPublicRoute: isPublic !== undefined,
    }
  const [, other, key] = OTHER_ROUTE.exec(request.path) ?? []
  const { bucketId, sourceKey } = bodyOf(request) ?? {}
  const named = other === undefined ? bucketId : percentDecoded(other)
  return {
    bucket: typeof named === 'string' ? named : undefined,
    objectKey:
      typeof sourceKey === 'string'
        ? sourceKey
        : key === undefined
          ? undefined
          : percentDecoded(key),
    isPublicRoute: false,
  }
}

function accessFinding(
  deps: ChainDeps,
  { entry, project }: RecordedRequest,
  bucket: Bucket,
  { objectKey, isPublicRoute }: Pick<Place, 'objectKey' | 'isPublicRoute'>,
): Finding | undefined {
  const { role } = entry
  const actor =
    (role !== 'anon' && role !== 'authenticated') || project === undefined || isPublicRoute
      ? undefined
      : ({
          role,
          schemaName: project.schemaName,
          subject: entry.subject ?? '',
          originRole: role,
        } as const)
  const isWrite = !['GET', 'HEAD'].includes(entry.method)
  const may = isWrite ? actor !== undefined && mayWrite(actor, bucket) : mayRead(actor, bucket)
  if (entry.status < 400 || may || (actor !== undefined && actor.schemaName !== bucket.schemaName))
    return undefined
  const exists =
    objectKey !== undefined && deps.objects.findObject(bucket.fullName, objectKey) !== undefined
  const file = exists ? `The file ${objectKey} exists. ` : ''
  const who =
    actor === undefined ? 'The request was anonymous' : `The token’s role is ${actor.role}`
  const rule = isWrite
    ? 'anon may not write or sign'
    : `the bucket ${bucket.fullName} is private and hides its files`
  return broken(actor?.role ?? 'anonymous', `${file}${who}, and ${rule}.`, {
    bucket: bucket.fullName,
    public: String(bucket.isPublic),
    ...(objectKey !== undefined && { object: objectKey, exists: String(exists) }),
  })
}

function bucketFinding(
  { buckets }: ChainDeps,
  { project }: RecordedRequest,
  name: string,
  bucket: Bucket | undefined,
): Finding {
  if (bucket === undefined) {
    const others = project === undefined ? [] : buckets.listBuckets(project.schemaName)
    const names = others.map(({ fullName }) => fullName).join(', ')
    return broken(
      'no such bucket',
      `The bucket ${name} does not exist.${names === '' ? '' : ` The project has ${names}.`}`,
    )
  }
  if (project !== undefined && bucket.schemaName !== project.schemaName)
    return broken(
      'another project’s bucket',
      `The bucket ${name} belongs to ${bucket.schemaName}, and the token to ${project.schemaName}: for this token the bucket does not exist.`,
    )
  return holds(name, `The bucket ${name} exists and is ${bucket.isPublic ? 'public' : 'private'}.`)
}

function objectFinding({ objects }: ChainDeps, { fullName }: Bucket, objectKey: string): Findings {
  const found = objects.findObject(fullName, objectKey)
  if (found !== undefined)
    return {
      object: holds(objectKey, 'The file exists.', {
        size: String(found.sizeBytes),
        type: found.mimeType,
      }),
    }
  return {
    object: broken(
      'no such file',
      `The bucket ${fullName} has no file ${objectKey}: names are case-sensitive.`,
    ),
  }
}

function quotaFinding({ buckets, projects }: ChainDeps, { project }: RecordedRequest): Findings {
  if (project === undefined) return {}
  const isSwitched = projects.switches.isArmed(project.id, 'storage_over_quota')
  const stored = buckets.storedBytes(project.schemaName)
  const facts = {
    plan: project.planTier,
    stored_bytes: String(stored),
    limit_bytes: String(FREE_PLAN_STORAGE_BYTES),
    ...(isSwitched && { switch: 'storage_over_quota' }),
  }
  const sentence = isSwitched
    ? `The simulated response storage_over_quota is on for the project. It simulates more than ${FREE_PLAN_STORAGE} of files on the free plan.`
    : `The project’s files take ${stored} bytes, and the free plan allows ${FREE_PLAN_STORAGE_BYTES}.`
  return { quota: broken('over the free plan', sentence, facts) }
}
