// Checks the first links of every access chain: credential, project, role and claims. Examines the recorded credential; without a
// recording, reads the reason from the error message of the response.
import type { JsonObject } from '../../core/json.ts'
import { parseSchemaName } from '../../core/names.ts'
import { credentialOf } from '../../credentials/unverified-claims.ts'
import { actingRole } from '../tokens/examine-signed.ts'
import { examineToken } from '../tokens/examine-token.ts'
import { type Flaw, flawed } from '../tokens/token-state.ts'
import { readTokenText } from '../tokens/token-text.ts'
import {
  bodyOf,
  broken,
  type ChainDeps,
  type Findings,
  holds,
  notNeeded,
  type RecordedRequest,
} from './recorded-request.ts'

export async function bearerFindings(deps: ChainDeps, request: RecordedRequest): Promise<Findings> {
  const flaw = await flawOf(deps, request)
  const sound = soundFindings(request)
  if (flaw === undefined) return sound
  const { claims } = request
  return { ...sound, [flaw.at]: broken(TITLES[flaw.at], flaw.sentence, factsOf(claims)) }
}

const TITLES: Readonly<Record<Flaw['at'], string>> = {
  credential: 'the credential is not valid',
  project: 'the project is not active',
  claims: 'the user is refused',
}

const BEARER_LINKS: ReadonlySet<string> = new Set(['credential', 'project', 'claims'])

async function flawOf(deps: ChainDeps, request: RecordedRequest): Promise<Flaw | undefined> {
  const { advice, entry } = request
  // Storage treats a bad token as anonymous on routes that allow anonymous requests.
  const mayBeAnonymous = entry.service === 'storage' && advice !== undefined
  if (advice === undefined || !(BEARER_LINKS.has(advice.link) || mayBeAnonymous)) return undefined
  for (const text of presentedTexts(request)) {
    const flaw = await examinedFlaw(deps, text)
    if (flaw !== undefined) return flaw
  }
  if (advice.link !== 'credential') return undefined
  return flawInMessage(entry.error_message ?? advice.cause)
}

/** Returns the credentials that the request sent, in the order in which the service checks them. */
function presentedTexts({ recording, entry }: RecordedRequest): readonly string[] {
  if (recording === undefined) return []
  const { requestHeaders: headers, url } = recording
  const checksKey = entry.service === 'data' || entry.service === 'auth'
  const texts = [
    checksKey ? headers.get('apikey') : undefined,
    headers.get('x-api-key') ?? credentialOf(headers, urlTarget(url)),
  ]
  return texts.filter((text) => typeof text === 'string')
}

function urlTarget(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}

async function examinedFlaw(deps: ChainDeps, text: string): Promise<Flaw | undefined> {
  const token = readTokenText(text)
  if (token.kind === 'unknown' && token.form === 'opaque')
    return flawed('credential', 'The credential is not a key or token of this platform.')
  return (await examineToken(deps.tokens, token)).flaw
}

// Finds the reason in the error message of the response.
function flawInMessage(message: string): Flaw {
  if (/\bbanned\b|\bdeleted\b.*\buser\b|user behind/i.test(message))
    return flawed('claims', message)
  if (/\bnot active\b|\boffline\b|removed or purged/i.test(message))
    return flawed('project', message)
  return flawed('credential', message)
}

function soundFindings({ entry, project, claims }: RecordedRequest): Findings {
  const { role, credential_kind: kind } = entry
  const kindWords = KINDS[kind ?? ''] ?? (role === null ? 'anonymous' : 'a credential')
  const facts = factsOf(claims)
  return {
    credential:
      role === null && kind === null
        ? notNeeded('none', 'The request was anonymous, or its route needs no credential.', facts)
        : holds(
            kindWords,
            `The request presented ${kindWords}, which was valid at that time.`,
            facts,
          ),
    project:
      project === undefined
        ? notNeeded('no project', 'The request does not concern a project.')
        : holds(
            project.schemaName,
            project.state === 'active'
              ? `The project ${project.schemaName} is active.`
              : `The project ${project.schemaName} was active at that time and is ${project.state} now.`,
            { project_id: project.id, plan: project.planTier },
          ),
    ...(role === null ? {} : { role: holds(role, `The request acts as ${role}.`) }),
    claims:
      role === 'authenticated'
        ? holds(
            String(claims?.['email'] ?? entry.subject),
            'Policies read the identity from these claims.',
            facts,
          )
        : notNeeded('no user', 'The credential has no user.', facts),
  }
}

const KINDS: Readonly<Record<string, string>> = {
  anonKey: 'an anon key',
  serviceRoleKey: 'a service_role key',
  dataPlaneToken: 'a data_plane_token',
  storageToken: 'a storage token',
  groupApiKey: 'a Group API Key',
  managementKey: 'a management key',
  sessionToken: 'a dashboard session',
}

const SHOWN = [
  'sub',
  'email',
  'role',
  'sdb_role',
  'origin_role',
  'project_schema',
  'kv',
  'aal',
  'exp',
]

function factsOf(claims: JsonObject | undefined): Readonly<Record<string, string>> {
  if (claims === undefined) return {}
  const shown = SHOWN.flatMap((name) => {
    const value = claims[name]
    return value === undefined || value === null ? [] : [[name, String(value)] as const]
  })
  return Object.fromEntries(shown.length > 0 ? shown : [['role', actingRole(claims)]])
}

export async function authFindings(deps: ChainDeps, request: RecordedRequest): Promise<Findings> {
  const { project, entry } = request
  const email = bodyOf(request)?.['email']
  if (entry.error_code !== 'invalid_credentials' || typeof email !== 'string') return {}
  const schemaName = parseSchemaName(project?.schemaName ?? '')
  if (schemaName === undefined || project?.state !== 'active') return {}
  const user = await deps.users.find(schemaName, email)
  return {
    claims:
      user === undefined
        ? broken(
            'no such user',
            `The project ${schemaName} has no user ${email}: each project has its own users.`,
          )
        : broken(
            'wrong password',
            `The user ${email} exists in ${schemaName}: the password is wrong, or the user has no password.`,
          ),
  }
}
