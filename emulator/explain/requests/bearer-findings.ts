// The first links of every chain: credential, project, role and claims. What was presented is examined again when it was
// recorded; without a recording the refusal's own words have to do.
import type { JsonObject } from '../../core/json.ts'
import { credentialOf } from '../../credentials/unverified-claims.ts'
import { actingRole } from '../tokens/examine-signed.ts'
import { examineToken } from '../tokens/examine-token.ts'
import { type Flaw, flawed } from '../tokens/flaw.ts'
import { readTokenText } from '../tokens/token-text.ts'
import { broken, type Findings, holds, notNeeded } from './links.ts'
import type { Occasion, WhyDeps } from './request-case.ts'

export async function bearerFindings(deps: WhyDeps, occasion: Occasion): Promise<Findings> {
  const flaw = await flawOf(deps, occasion)
  const sound = soundFindings(occasion)
  if (flaw === undefined) return sound
  const { claims } = occasion
  return { ...sound, [flaw.at]: broken(TITLES[flaw.at], flaw.sentence, factsOf(claims)) }
}

const TITLES: Readonly<Record<Flaw['at'], string>> = {
  credential: 'the credential does not hold',
  project: 'the project is not active',
  claims: 'its user may not',
}

const BEARER_LINKS: ReadonlySet<string> = new Set(['credential', 'project', 'claims'])

async function flawOf(deps: WhyDeps, occasion: Occasion): Promise<Flaw | undefined> {
  const { advice, entry } = occasion
  // Storage takes a bad token for nobody's where nobody may ask, too.
  const mayBeNobody = entry.service === 'storage' && advice !== undefined
  if (advice === undefined || !(BEARER_LINKS.has(advice.link) || mayBeNobody)) return undefined
  const text = presentedText(occasion)
  const flaw = text === undefined ? undefined : await examinedFlaw(deps, text)
  if (flaw !== undefined || advice.link !== 'credential') return flaw
  return toldFlaw(entry.error_message ?? advice.cause)
}

/** The text of the credential that the refusal is about. */
function presentedText({ recording, entry }: Occasion): string | undefined {
  if (recording === undefined) return undefined
  const isAboutKey = /header apikey/i.test(entry.error_message ?? '')
  const own = isAboutKey ? recording.requestHeaders.get('apikey') : undefined
  return (
    own ??
    recording.requestHeaders.get('x-api-key') ??
    credentialOf(recording.requestHeaders, urlTarget(recording.url))
  )
}

function urlTarget(url: string): string {
  return url.slice(url.indexOf('/', url.indexOf('://') + 3))
}

async function examinedFlaw(deps: WhyDeps, text: string): Promise<Flaw | undefined> {
  const token = readTokenText(text)
  if (token.kind === 'unknown' && token.form === 'opaque')
    return flawed('credential', 'What was sent is no key or token of this platform.')
  return (await examineToken(deps.tokens, token)).flaw
}

// What the refusal itself said.
function toldFlaw(message: string): Flaw {
  if (/\bbanned\b|\bdeleted\b.*\buser\b|user behind/i.test(message))
    return flawed('claims', message)
  if (/\bnot active\b|\boffline\b|removed or purged/i.test(message))
    return flawed('project', message)
  return flawed('credential', message)
}

function soundFindings({ entry, project, claims }: Occasion): Findings {
  const { role, credential_kind: kind } = entry
  const kindWords = KINDS[kind ?? ''] ?? (role === null ? 'nobody in particular' : 'a credential')
  const facts = factsOf(claims)
  return {
    credential:
      role === null && kind === null
        ? notNeeded('none', 'The request named nobody, or its route asks for nobody.', facts)
        : holds(kindWords, `It was ${kindWords}, and good when it was presented.`, facts),
    project:
      project === undefined
        ? notNeeded('no project', 'The request is about no project.')
        : holds(
            project.schemaName,
            project.state === 'active'
              ? `The project ${project.schemaName} is active.`
              : `The project ${project.schemaName} was active then and is ${project.state} now.`,
            { project_id: project.id, plan: project.planTier },
          ),
    ...(role === null ? {} : { role: holds(role, `It acts as ${role}.`) }),
    claims:
      role === 'authenticated'
        ? holds(
            String(claims?.['email'] ?? entry.subject),
            'Who it is, policies read in these claims.',
            facts,
          )
        : notNeeded('nobody in particular', 'Policies find no user in it.', facts),
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
