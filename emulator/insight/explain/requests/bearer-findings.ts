// Checks the first links of every access chain: credential, project, role and claims. Examines the recorded credential; without a
// recording, reads the reason from the error message of the response.
import type { JournalEntry } from '../../../contract/journal.ts'
import type { JsonObject } from '../../../core/json.ts'
import { credentialOf } from '../../../platform/credentials/unverified-claims.ts'
import { CREDENTIAL_HEADERS } from '../../../platform/secrets/secret-names.ts'
import { actingRole } from '../tokens/examine-signed.ts'
import { examineToken } from '../tokens/examine-token.ts'
import { type Flaw, flawed } from '../tokens/token-state.ts'
import { readTokenText } from '../tokens/token-text.ts'
import {
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
    // Ignores a flaw of the project when the service accepted the project: the project's state has changed since.
    if (flaw !== undefined && !(flaw.at === 'project' && hasAcceptedProject(entry))) return flaw
  }
  if (advice.link !== 'credential') return undefined
  return flawInMessage(entry.error_message ?? advice.cause)
}

/** Returns the credentials that the service checked and did not accept, in the order in which it checks them. */
function presentedTexts({ recording, entry }: RecordedRequest): readonly string[] {
  if (recording === undefined) return []
  const { requestHeaders: headers, url } = recording
  const checksKey =
    (entry.service === 'data' || entry.service === 'auth') && !hasAcceptedProject(entry)
  const texts = [
    checksKey ? headers.get(CREDENTIAL_HEADERS.projectKey) : undefined,
    headers.get(CREDENTIAL_HEADERS.socketKey) ?? credentialOf(headers, urlTarget(url)),
  ]
  return texts.filter((text) => typeof text === 'string')
}

// Services record the project of a request only after they have verified the request's key.
function hasAcceptedProject({ schema_name: name, schema_is_claimed: isClaimed }: JournalEntry) {
  return name !== null && !isClaimed
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
