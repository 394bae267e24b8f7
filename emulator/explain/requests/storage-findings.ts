// Storage hides what it does not show: whether bucket and file are there is looked up here, so that "not found" on a file
// that exists leads to the credential and not to the path (docs/wire/storage.md#errors).

import { FREE_PLAN_STORAGE, FREE_PLAN_STORAGE_BYTES } from '../../projects/quotas.ts'
import { mayRead, mayWrite } from '../../storage/access/permissions.ts'
import type { Bucket } from '../../storage/buckets/bucket-store.ts'
import { broken, type Finding, type Findings, holds } from './links.ts'
import { bodyOf, type Occasion, type WhyDeps } from './request-case.ts'

export function storageFindings(deps: WhyDeps, occasion: Occasion): Findings {
  if (occasion.entry.error_code === 'storage_quota_exceeded') return quotaFinding(deps, occasion)
  const { bucket: name, objectKey, isPublicRoute } = placeOf(occasion)
  if (name === undefined) return {}
  const bucket = deps.buckets.findBucket(name)
  const access = bucket && accessFinding(deps, occasion, bucket, { objectKey, isPublicRoute })
  return {
    ...(access === undefined ? {} : { role: access }),
    ...(isAboutPlace(occasion) || occasion.advice === undefined
      ? {
          bucket: bucketFinding(deps, occasion, name, bucket),
          ...(bucket === undefined || objectKey === undefined
            ? {}
            : objectFinding(deps, bucket, objectKey)),
        }
      : {}),
  }
}

function isAboutPlace({ entry }: Occasion): boolean {
  return ['NoSuchKey', 'NoSuchBucket'].includes(entry.error_code ?? '')
}

interface Place {
  readonly bucket: string | undefined
  readonly objectKey: string | undefined
  /** Below /object/public: asked by nobody, whoever sends it. */
  readonly isPublicRoute: boolean
}

const OBJECT_ROUTE =
  /^(?:\/storage\/v1)?\/(?:object|render\/image)\/(?:(info\/public|public)\/|info\/authenticated\/|info\/|authenticated\/|sign\/|upload\/sign\/|list-v2\/|list\/)?([^/]+)(?:\/(.+))?$/
const OTHER_ROUTE = /^(?:\/storage\/v1)?\/(?:bucket|s3)\/([^/]+)(?:\/(.+))?$/

function placeOf(occasion: Occasion): Place {
  const [, isPublic, bucket, rest] = OBJECT_ROUTE.exec(occasion.path) ?? []
  if (bucket !== undefined && !['move', 'copy'].includes(bucket))
    return {
      bucket: decoded(bucket),
      objectKey: rest === undefined || /\/list/.test(occasion.path) ? undefined : decoded(rest),
      isPublicRoute: isPublic !== undefined,
    }
  const [, other, key] = OTHER_ROUTE.exec(occasion.path) ?? []
  const { bucketId, sourceKey } = bodyOf(occasion) ?? {}
  const named = other === undefined ? bucketId : decoded(other)
  return {
    bucket: typeof named === 'string' ? named : undefined,
    objectKey:
      typeof sourceKey === 'string' ? sourceKey : key === undefined ? undefined : decoded(key),
    isPublicRoute: false,
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function accessFinding(
  deps: WhyDeps,
  { entry, project }: Occasion,
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
    actor === undefined ? 'Nobody in particular asked' : `The token’s role is ${actor.role}`
  const rule = isWrite
    ? 'anon writes nowhere and signs nothing'
    : `the bucket ${bucket.fullName} is private, and hides its files from it`
  return broken(actor?.role ?? 'nobody', `${file}${who}, and ${rule}.`, {
    bucket: bucket.fullName,
    public: String(bucket.isPublic),
    ...(objectKey === undefined ? {} : { object: objectKey, exists: String(exists) }),
  })
}

function bucketFinding(
  { buckets }: WhyDeps,
  { project }: Occasion,
  name: string,
  bucket: Bucket | undefined,
): Finding {
  if (bucket === undefined) {
    const others = project === undefined ? [] : buckets.listBuckets(project.schemaName)
    const names = others.map(({ fullName }) => fullName).join(', ')
    return broken(
      'no such bucket',
      `There is no bucket ${name}.${names === '' ? '' : ` The project has ${names}.`}`,
    )
  }
  if (project !== undefined && bucket.schemaName !== project.schemaName)
    return broken(
      'another project’s bucket',
      `The bucket ${name} belongs to ${bucket.schemaName}, and the token to ${project.schemaName}: to it the bucket does not exist.`,
    )
  return holds(name, `The bucket ${name} exists and is ${bucket.isPublic ? 'public' : 'private'}.`)
}

function objectFinding({ objects }: WhyDeps, { fullName }: Bucket, objectKey: string): Findings {
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
      `There is no file ${objectKey} in ${fullName}: names compare letter by letter.`,
    ),
  }
}

function quotaFinding({ buckets, projects }: WhyDeps, { project }: Occasion): Findings {
  if (project === undefined) return {}
  const isSwitched = projects.switches.isArmed(project.id, 'storage_over_quota')
  const stored = buckets.storedBytes(project.schemaName)
  const facts = {
    plan: project.planTier,
    stored_bytes: String(stored),
    limit_bytes: String(FREE_PLAN_STORAGE_BYTES),
    ...(isSwitched ? { switch: 'storage_over_quota' } : {}),
  }
  const sentence = isSwitched
    ? `The switch storage_over_quota is armed on the project, which stands for more than ${FREE_PLAN_STORAGE} of files on the free plan.`
    : `The project’s files take ${stored} bytes, and the free plan ends at ${FREE_PLAN_STORAGE_BYTES}.`
  return { quota: broken('over the free plan', sentence, facts) }
}
